import type { AlertDraft, AlertDryRun } from '@firsthand/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

import { isOfSameQuantity } from '../model/draft.ts'
import { dryRunKey, dryRunQuery } from '../queries.ts'

/** A pause in typing and dragging, before the past is asked again. */
const RUN_AFTER_MS = 400

export interface DryRunWork {
  /** Of the rule as it is, or as it was a moment ago while that counted the same. */
  readonly run: AlertDryRun | undefined
  readonly error: Error | null
  readonly isRunning: boolean
  /** What is shown is of an earlier wording. */
  readonly isOutdated: boolean
  readonly isStopped: boolean
  readonly stop: () => void
  readonly again: () => void
}

/** The dry run of the rule that is written: asked once one pauses, given up when it changes, and by hand. */
export function useDryRun(org: string, draft: AlertDraft, alert: string | null): DryRunWork {
  const client = useQueryClient()
  const [asked, setAsked] = useState(draft)
  const [stopped, setStopped] = useState<AlertDraft | null>(null)
  const isWaiting = asked !== draft
  useEffect(() => {
    if (asked === draft) return undefined
    const timer = setTimeout(() => setAsked(draft), RUN_AFTER_MS)
    return () => clearTimeout(timer)
  }, [asked, draft])
  const isStopped = stopped === asked
  const query = useQuery({ ...dryRunQuery(org, asked, alert), enabled: !isStopped })
  /** What was drawn stays while the next answer is awaited, and while the server refuses what is being typed. */
  const [last, setLast] = useState<{ readonly run: AlertDryRun; readonly of: AlertDraft } | null>(null)
  if (query.data !== undefined && query.data !== last?.run) setLast({ run: query.data, of: asked })
  return {
    // Under the caption of another quantity its bars would be untrue, however faded.
    run: last !== null && isOfSameQuantity(last.of, draft) ? last.run : undefined,
    error: query.error,
    isRunning: query.isFetching || (isWaiting && !isStopped),
    isOutdated: query.data === undefined || isWaiting,
    isStopped,
    stop: () => {
      setStopped(asked)
      void client.cancelQueries({ queryKey: dryRunKey(org) })
    },
    again: () => {
      setStopped(null)
      if (!isStopped) void query.refetch()
    },
  }
}
