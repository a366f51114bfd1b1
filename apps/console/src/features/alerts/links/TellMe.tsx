import { useNavigate } from '@tanstack/react-router'

import { useAccess } from '../../../lib/shared-queries.ts'
import { BellIcon, IconButton, useCommandsForOpen, useShortcut } from '../../../ui/index.ts'
import type { NewAlertUrl } from '../model/alerts-search.ts'

const WORDS = 'Tell me when this changes'

/** From any search to an alert of it. @param about what is looked at */
export function TellMe({
  org,
  about,
  group,
}: {
  readonly org: string
  readonly about: NewAlertUrl
  readonly group: string
}) {
  const navigate = useNavigate()
  const mayWrite = useAccess(org)('event:write')
  const run = () => void navigate({ to: '/organizations/$org/alerts/new', params: { org }, search: about })
  useShortcut('w', run, { label: WORDS, group, enabled: mayWrite })
  useCommandsForOpen(group, mayWrite ? [{ label: WORDS, kbd: 'w', icon: BellIcon, run }] : [])
  if (!mayWrite) return null
  return <IconButton icon={BellIcon} label={WORDS} kbd="w" bordered onClick={run} />
}
