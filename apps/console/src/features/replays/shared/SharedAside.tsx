import type { ReplayPlayback } from '@firsthand/contract'
import { useMemo, useRef, useState } from 'react'

import { formatCount } from '../../../lib/format.ts'
import { useInSight } from '../../../lib/use-in-sight.ts'
import { PlainTabs, type TabOption } from '../../../ui/index.ts'
import type { Rows } from '../model/rows.ts'
import type { OpenedReplay } from '../player/use-replay.ts'
import { Dom } from '../tabs/Dom.tsx'
import { FollowList } from '../tabs/FollowList.tsx'
import { MomentLine } from '../tabs/MomentLine.tsx'
import { IN_FRONT } from '../tabs/TabHead.tsx'
import styles from '../tabs/Aside.module.css'

const ROW_HEIGHT = 28

type Tab = 'everything' | 'console' | 'network' | 'dom'

/** What happened, for people without an account: nothing here asks a server, and nothing leads away. */
export function SharedAside({
  playback: { hasPicture, marksLeftOut, startedAt },
  opened: { picture, player },
  rows,
}: {
  readonly playback: ReplayPlayback
  readonly opened: OpenedReplay
  readonly rows: Rows
}) {
  const [tab, setTab] = useState<Tab>('everything')
  const row = useRef<HTMLDivElement>(null)
  useInSight(row, tab)
  const requests = useMemo(() => rows.everything.filter(({ sign }) => sign === 'request'), [rows])
  const shown = tab === 'console' ? rows.console : tab === 'network' ? requests : rows.everything
  const tabs: readonly TabOption<Tab>[] = [
    { value: 'everything', label: 'Everything', count: rows.everything.length },
    { value: 'console', label: 'Console', count: rows.console.length },
    { value: 'network', label: 'Network', count: requests.length },
    ...(hasPicture ? [{ value: 'dom', label: 'DOM' } as const] : []),
  ]
  return (
    <aside className={styles.aside} aria-label="What happened">
      <PlainTabs ref={row} value={tab} onValueChange={setTab} tabs={tabs} aria-label="What happened">
        {tab === 'dom' ? (
          <Dom player={player} picture={picture} hasPicture={hasPicture} place={IN_FRONT} />
        ) : (
          <FollowList
            key={tab}
            player={player}
            items={shown}
            rowHeight={ROW_HEIGHT}
            from={startedAt}
            place={IN_FRONT}
            nothing="Nothing of this kind was noted in the recording."
            tools={marksLeftOut === 0 ? null : <span>{formatCount(marksLeftOut)} more are not listed</span>}
          >
            {(row, state) => <MomentLine row={row} from={startedAt} state={state} />}
          </FollowList>
        )}
      </PlainTabs>
    </aside>
  )
}
