/** What scripts may rely on. The first of 70, 64, 130, 3, 1, 2, 0 that applies. */
export const exitCodes = [
  { code: 0, meaning: 'every detectable desync was detected, every control survived' },
  { code: 1, meaning: 'something went undetected, or there was a false alarm' },
  { code: 2, meaning: 'the profile was not exercised' },
  {
    code: 3,
    meaning: 'void: a fault of ours touched the findings, or a control run or --check-determinism failed',
  },
  { code: 64, meaning: 'usage: a flag, a profile, an address or the command is wrong' },
  { code: 70, meaning: 'an internal error of mcp-chaos' },
  { code: 130, meaning: 'interrupted (Ctrl+C); the report is of what had happened until then' },
] as const;
