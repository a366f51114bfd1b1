/** The issue one looked at last: the keyboard stands on its row again when one comes back to the list. */
let lastRow: string | null = null

export const rememberRow = (issue: string): void => {
  lastRow = issue
}

export const rememberedRow = (): string | null => lastRow
