import type { Clock } from '../../lib/clock.ts'
import type { Ledger } from '../../storage/index.ts'
import { LIMITS } from '../limits.ts'
import { resolveSettings, UNCHANGED, type ChangedSettings, type FindingSettings } from '../settings.ts'

export type FindingSettingsStore = ReturnType<typeof createFindingSettings>

/** Settings of projects, remembered for a short while. */
export const createFindingSettings = ({ ledger, clock }: { readonly ledger: Ledger; readonly clock: Clock }) => {
  const remembered = new Map<number, { readonly settings: FindingSettings; readonly until: number }>()
  const load = async (projectId: number): Promise<FindingSettings> => {
    const row = await ledger.db
      .selectFrom('finding_settings')
      .select('settings')
      .where('project_id', '=', projectId)
      .executeTakeFirst()
    // Only `save` writes it.
    return resolveSettings(row === undefined ? UNCHANGED : (JSON.parse(row.settings) as ChangedSettings))
  }
  return {
    load,
    /** As they were at most `FINDING_SETTINGS_AGE_MS` ago. */
    of: async (projectId: number): Promise<FindingSettings> => {
      const now = clock.now()
      const known = remembered.get(projectId)
      if (known !== undefined && now < known.until) return known.settings
      const settings = await load(projectId)
      if (remembered.size >= PROJECTS_REMEMBERED) remembered.clear()
      remembered.set(projectId, { settings, until: now + LIMITS.FINDING_SETTINGS_AGE_MS })
      return settings
    },
    save: async (projectId: number, settings: ChangedSettings): Promise<void> => {
      const row = { settings: JSON.stringify(settings), changed_at: clock.now() }
      await ledger.db
        .insertInto('finding_settings')
        .values({ ...row, project_id: projectId })
        .onConflict((conflict) => conflict.column('project_id').doUpdateSet(row))
        .execute()
      remembered.delete(projectId)
    },
  }
}

const PROJECTS_REMEMBERED = 10_000
