// The names of populators, found by the shell itself: asking the compiler would take longer than people wait.

export const LIST_POPULATORS =
  "cat -- *.stoa 2>/dev/null | sed -nE 's/^[[:space:]]*populator[[:space:]]+([A-Za-z_][A-Za-z0-9_]*).*/\\1/p'";
