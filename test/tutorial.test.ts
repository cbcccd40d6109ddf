// The tutorial works: its files are made, its requests sent, and the answers are those it shows.

import { readPage } from "./walk/markdown.js";
import { walk } from "./walk/walk.js";

walk(readPage("docs/tutorial.md"));
