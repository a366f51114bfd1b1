/** The replay one looked at last: the keyboard stands on its row again when one comes back to the list. */
let lastReplay: string | null = null

export const rememberReplay = (replay: string): void => {
  lastReplay = replay
}

export const rememberedReplay = (): string | null => lastReplay
