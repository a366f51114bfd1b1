import type { AlertRule } from '@firsthand/contract'
import { useQueryClient } from '@tanstack/react-query'

import { useAccess } from '../../lib/shared-queries.ts'
import { toast, useChanges } from '../../ui/index.ts'
import { alertsKey } from './model/keys.ts'
import { lengthText } from './model/words.ts'
import { bringBackAlert, copyAlert, letAlertSpeak, removeAlert, silenceAlert, switchAlert } from './queries.ts'

const MINUTE_MS = 60_000

/** How long `m` mutes. */
export const MUTE_USUALLY = 60

export const MUTES = [
  { minutes: 60, label: 'For an hour' },
  { minutes: 240, label: 'For 4 hours' },
  { minutes: 1440, label: 'For a day' },
  { minutes: 10_080, label: 'For a week' },
  { minutes: null, label: 'Until I take it back' },
] as const

export type AlertChanges = ReturnType<typeof useAlertChanges>

/** What can be done with a rule as it is saved; each is told, and undone from there or by `z`. */
export function useAlertChanges(org: string) {
  const client = useQueryClient()
  const mayWrite = useAccess(org)('event:write')
  const { busy, during, undo } = useChanges(() => void client.invalidateQueries({ queryKey: alertsKey(org) }))

  /** As it was muted before, by what is left of that. */
  const muteAgain = ({ id, isMuted, mutedUntil }: AlertRule) => {
    const left = mutedUntil === null ? 0 : Math.ceil((Date.parse(mutedUntil) - Date.now()) / MINUTE_MS)
    if (isMuted) return silenceAlert(org, id, null)
    return left > 0 ? silenceAlert(org, id, left) : letAlertSpeak(org, id)
  }

  return {
    busy,
    mayWrite,
    async mute(rule: AlertRule, minutes: number | null): Promise<void> {
      const done = await during('Muting', () => silenceAlert(org, rule.id, minutes))
      const title = `“${rule.name}” muted${minutes === null ? '' : ` for ${lengthText(minutes)}`}`
      if (done !== null) toast({ title, action: undo(title, () => muteAgain(rule)) })
    },
    async unmute(rule: AlertRule): Promise<void> {
      const done = await during('Unmuting', () => letAlertSpeak(org, rule.id))
      const title = `“${rule.name}” speaks again`
      if (done !== null) toast({ title, action: undo(title, () => muteAgain(rule)) })
    },
    async enable(rule: AlertRule, isEnabled: boolean): Promise<void> {
      const done = await during('Switching', () => switchAlert(org, rule.id, isEnabled))
      const title = `“${rule.name}” is ${isEnabled ? 'on' : 'off'}`
      if (done !== null) toast({ title, action: undo(title, () => switchAlert(org, rule.id, !isEnabled)) })
    },
    async remove(rule: AlertRule): Promise<boolean> {
      const done = await during('Deleting', () => removeAlert(org, rule.id).then(() => true))
      const title = `“${rule.name}” deleted`
      if (done !== null) toast({ title, action: undo(title, () => bringBackAlert(org, rule.id)) })
      return done !== null
    },
    async duplicate(rule: AlertRule): Promise<AlertRule | null> {
      const copy = await during('Copying', () => copyAlert(org, rule.id))
      if (copy !== null) {
        const title = `“${copy.name}” made, and still off`
        toast({ title, action: undo(title, () => removeAlert(org, copy.id)) })
      }
      return copy
    },
  }
}
