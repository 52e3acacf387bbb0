#!/usr/bin/env node
// Starts the command line; everything else is in dist/.
import '../dist/cli/main.js';
