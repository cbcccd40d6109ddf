#!/usr/bin/env node
// For those who know the command by this name.
import "./stoa.cjs";
