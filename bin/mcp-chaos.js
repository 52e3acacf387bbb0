#!/usr/bin/env node
// Starts the command line, src/cli/main.ts; everything else is in dist/.
import '../dist/program/main.js';
