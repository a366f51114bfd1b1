import { updateIssue, updateNoticeSettings, type InboxDetail, type NoticeSettings } from '@firsthand/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { useAccess, useSession } from '../../lib/shared-queries.ts'
import { toast, useChanges } from '../../ui/index.ts'
import { issueQuery } from '../issue/queries.ts'
import { issueKeys } from '../issues/model/index.ts'
import { KINDS } from './model/kind-words.ts'
import { muted } from './model/muted.ts'
import { inboxKey, noticeSettingsQuery } from './queries.ts'

export type LineActions = ReturnType<typeof useLineActions>

/** What can be done about the open line beyond the inbox itself: taking its issue, and hearing no more of its kind. */
export function useLineActions(org: string, entry: InboxDetail | null) {
  const client = useQueryClient()
  const { user } = useSession()
  const mayWrite = useAccess(org)('event:write')
  const issueId = entry?.issueId ?? null
  const { data: issue } = useQuery({
    ...issueQuery({ org, issue: issueId ?? '', time: { statsPeriod: '14d' }, environment: [] }),
    enabled: issueId !== null,
    retry: false,
  })
  const { busy, during, undo } = useChanges(() => {
    void client.invalidateQueries({ queryKey: inboxKey(org) })
    void client.invalidateQueries({ queryKey: issueKeys.lists(org) })
    void client.invalidateQueries({ queryKey: issueKeys.pages(org) })
    void client.invalidateQueries({ queryKey: noticeSettingsQuery.queryKey })
  })
  const isMine = issue?.assignedTo?.type === 'user' && issue.assignedTo.id === user?.id
  const mayTake = mayWrite && issue !== undefined && !isMine && user !== null

  const assign = (assignedTo: string) =>
    api.call(updateIssue, { params: { org, issue: issueId ?? '' }, body: { assignedTo } })
  const save = (settings: NoticeSettings) => api.call(updateNoticeSettings, { body: settings })

  return {
    busy,
    issue,
    isMine,
    mayTake,
    take: async () => {
      if (!mayTake) return
      const before = issue.assignedTo
      if ((await during('Taking it', () => assign(`user:${user.id}`))) === null) return
      const title = `${issue.shortId} is yours`
      const back = before === null ? '' : `${before.type}:${before.id}`
      toast({ title, action: undo(title, () => assign(back)) })
    },
    /** Neither the inbox nor a mail tells of the kind any more. */
    mute: async () => {
      if (entry === null) return
      const { settings } = await client.ensureQueryData(noticeSettingsQuery)
      if ((await during('The change', () => save(muted(settings, entry.kind)))) === null) return
      const title = `You hear no more of “${KINDS[entry.kind].label}”`
      toast({ title, action: undo(title, () => save(settings)) })
    },
  }
}
