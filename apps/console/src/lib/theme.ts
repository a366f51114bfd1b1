import { useSyncExternalStore } from 'react'

/** What the reader chose; `system` follows the device. */
export type ThemeChoice = 'light' | 'dark' | 'system'

/** public/theme.js reads the same key before the first paint. */
const STORAGE_KEY = 'firsthand:theme'
const listeners = new Set<() => void>()

function read(): ThemeChoice {
  try {
    const stored = localStorage.getItem(STORAGE_KEY)
    return stored === 'light' || stored === 'dark' ? stored : 'system'
  } catch {
    // Storage can be forbidden; the system's theme is then right.
    return 'system'
  }
}

function apply(): void {
  const choice = read()
  const dark = choice === 'dark' || (choice === 'system' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset.theme = dark ? 'dark' : 'light'
  for (const listener of listeners) listener()
}

/** Keeps the page in step with the device and with other tabs. Call once at start. */
export function watchTheme(): void {
  apply()
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', apply)
  addEventListener('storage', (event) => {
    if (event.key === STORAGE_KEY) apply()
  })
}

/** Stores the choice on this device and repaints. */
export function chooseTheme(choice: ThemeChoice): void {
  try {
    localStorage.setItem(STORAGE_KEY, choice)
  } catch {
    // Storage can be forbidden; the choice then lasts until the page is left.
  }
  apply()
}

/** The account's choice as this device last heard of it. */
const ACCOUNT_KEY = 'firsthand:account-theme'

/**
 * Follows the account when its choice was changed, on whichever device. What stands on this device alone stays: a choice
 * that could not be saved, or one that is just being saved.
 */
export function followAccountTheme(choice: ThemeChoice): void {
  try {
    if (localStorage.getItem(ACCOUNT_KEY) === choice) return
    localStorage.setItem(ACCOUNT_KEY, choice)
  } catch {
    // Without storage the account is all that is known.
  }
  if (read() !== choice) chooseTheme(choice)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The choice of the reader. */
export function useThemeChoice(): ThemeChoice {
  return useSyncExternalStore(subscribe, read)
}

/** The theme that is painted now; charts on canvas draw again when it changes. */
export function usePaintedTheme(): 'light' | 'dark' {
  return useSyncExternalStore(subscribe, () => (document.documentElement.dataset.theme === 'dark' ? 'dark' : 'light'))
}
