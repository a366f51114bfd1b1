import { isObject } from '@firsthand/protocol'
import { DEFAULT_PREFERENCES } from './model.ts'
import type { Preferences } from './model.ts'
import { DEFAULT_PROJECT_SETTINGS } from './settings.ts'
import type { ProjectSettings } from './settings.ts'

/** Stored JSON is read tolerantly: what an older program did not write, or wrote differently, has its default. */

const parse = (json: string): unknown => {
  try {
    return JSON.parse(json)
  } catch {
    // As tolerant as of single fields: everything has its default.
    return null
  }
}

/** The default's keys, each with the stored value where its type agrees. */
const overlay = (base: unknown, stored: unknown): unknown => {
  if (Array.isArray(base)) {
    return Array.isArray(stored) ? stored.filter((entry): entry is string => typeof entry === 'string') : base
  }
  if (isObject(base)) {
    const given = isObject(stored) ? stored : {}
    return Object.fromEntries(
      Object.entries(base).map(([key, value]) => [
        key,
        overlay(value, Object.hasOwn(given, key) ? given[key] : undefined),
      ]),
    )
  }
  return typeof stored === typeof base ? stored : base
}

export const readProjectSettings = (json: string): ProjectSettings =>
  overlay(DEFAULT_PROJECT_SETTINGS, parse(json)) as ProjectSettings

/** Settings with some of their fields replaced. */
export const changeProjectSettings = (settings: ProjectSettings, change: unknown): ProjectSettings =>
  overlay(settings, change) as ProjectSettings

export const readPreferences = (json: string): Preferences => overlay(DEFAULT_PREFERENCES, parse(json)) as Preferences

export const changePreferences = (preferences: Preferences, change: unknown): Preferences =>
  overlay(preferences, change) as Preferences
