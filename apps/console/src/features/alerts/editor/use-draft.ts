import { ApiError, type AlertDraft, type AlertRule } from '@firsthand/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

import { describeError } from '../../../lib/api.ts'
import { toast, useChanges } from '../../../ui/index.ts'
import { draftOf, isSame, missingOf } from '../model/draft.ts'
import { alertsKey } from '../model/keys.ts'
import { addAlert, alertQuery, changeAlert } from '../queries.ts'
import { keepDraft, keptDraft } from './draft-store.ts'

export interface DraftWork {
  readonly draft: AlertDraft
  readonly change: (part: Partial<AlertDraft>) => void
  /** Something differs from what is saved, or it is not saved at all. */
  readonly isDirty: boolean
  readonly busy: boolean
  /** Why it was not saved, in a sentence. */
  readonly failure: string | null
  /** Somebody else saved it meanwhile. */
  readonly isOutdated: boolean
  readonly save: () => void
  /** Over what somebody else saved. */
  readonly saveOver: () => void
  readonly discard: () => void
}

/**
 * The rule as it is written, and its saving.
 *
 * @param beginning what it is before anything is changed: as saved, or what a new one begins with
 * @param onSaved told of what was saved
 */
export function useDraft(
  org: string,
  rule: AlertRule | null,
  beginning: AlertDraft,
  onSaved: (saved: AlertRule) => void,
): DraftWork {
  const client = useQueryClient()
  const key = `${org} ${rule?.id ?? `new ${JSON.stringify(beginning)}`}`
  const [draft, setDraft] = useState(() => keptDraft(key) ?? beginning)
  const [failure, setFailure] = useState<string | null>(null)
  const [isOutdated, setIsOutdated] = useState(false)
  const [busy, setBusy] = useState(false)
  const [known, setKnown] = useState(beginning)
  const [based, setBased] = useState(rule)
  const { undo } = useChanges(() => void client.invalidateQueries({ queryKey: alertsKey(org) }))
  // It was saved, or changed by somebody else: what nobody has touched here follows.
  if (!isSame(known, beginning)) {
    setKnown(beginning)
    if (isSame(draft, known)) setDraft(beginning)
  }
  const isDirty = !isSame(draft, beginning)
  // What was changed here is saved over what was seen then, not over what somebody else saved meanwhile and nobody saw here.
  const isOfOthers = isDirty && rule !== null && based !== null && !isSame(draftOf(rule), draftOf(based))
  if (rule !== null && based?.version !== rule.version && !isOfOthers) setBased(rule)
  const put = (next: AlertDraft): void => {
    setDraft(next)
    setFailure(null)
    keepDraft(key, isSame(next, beginning) ? null : next)
  }

  /** @param over what is saved now; null for a new one */
  const send = async (over: AlertRule | null): Promise<void> => {
    const wanted = { ...draft, name: draft.name.trim() }
    const missing = missingOf(wanted)
    if (missing !== null) {
      setFailure(missing)
      return
    }
    setBusy(true)
    try {
      const saved = over === null ? await addAlert(org, wanted) : await changeAlert(org, over.id, wanted, over.version)
      keepDraft(key, null)
      setDraft(draftOf(saved))
      setBased(saved)
      setIsOutdated(false)
      setFailure(null)
      client.setQueryData(alertQuery(org, saved.id).queryKey, saved)
      const title = `“${saved.name}” saved`
      const before = over === null ? null : draftOf(over)
      toast({
        title,
        tone: 'ok',
        ...(before !== null && {
          action: undo(title, async () => {
            const now = await client.fetchQuery({ ...alertQuery(org, saved.id), staleTime: 0 })
            await changeAlert(org, saved.id, before, now.version)
          }),
        }),
      })
      onSaved(saved)
      await client.invalidateQueries({ queryKey: alertsKey(org) })
    } catch (error) {
      setIsOutdated(error instanceof ApiError && error.status === 409)
      setFailure(describeError(error).detail)
    } finally {
      setBusy(false)
    }
  }

  return {
    draft,
    change: (part) => put({ ...draft, ...part }),
    isDirty,
    busy,
    failure,
    isOutdated,
    save: () => {
      if (rule === null || isDirty) void send(based)
    },
    saveOver: () => {
      if (rule === null) return
      void client
        .fetchQuery({ ...alertQuery(org, rule.id), staleTime: 0 })
        .then((now) => send(now))
        .catch((error: unknown) => setFailure(describeError(error).detail))
    },
    discard: () => {
      const dropped = draft
      put(beginning)
      setIsOutdated(false)
      if (rule !== null) void client.invalidateQueries({ queryKey: alertQuery(org, rule.id).queryKey })
      if (!isDirty) return
      const title = 'Changes discarded'
      toast({ title, action: undo(title, () => Promise.resolve(put(dropped))) })
    },
  }
}
