import type { User } from '@firsthand/contract'
import { applyTimePreferences } from './moments.ts'
import { followAccountTheme } from './theme.ts'

/** What the account says about looks, on this device: theme, time zone, clock. */
export function applyPreferences(options: User['options']): void {
  applyTimePreferences(options)
  followAccountTheme(options.theme)
}
