import { useState } from 'react'

import { formatCount } from '../../../lib/format.ts'
import { formatSpent } from '../../../lib/spent-time.ts'
import { Button, EmptyState, SearchIcon, Table, Tbody, Td, Th, Thead, Tr, VisibleText } from '../../../ui/index.ts'
import type { FlameView } from '../flame-view.ts'
import { shortPlace } from '../model/profile.ts'
import styles from './FunctionTable.module.css'

const FIRST = 50
const ALL = 1000

/** Every function with its times: what the graph shows, as text. A search leaves those that it hits. */
export function FunctionTable({ view }: { readonly view: FlameView }) {
  const { functions, hits, model } = view
  const [limit, setLimit] = useState(FIRST)
  const { isHit } = hits
  const found = isHit === null ? functions.bySelf : functions.bySelf.filter((frame) => isHit[frame] === 1)
  const most = Math.max(1, functions.self[functions.bySelf[0] ?? 0] ?? 0)
  if (found.length === 0) {
    return (
      <EmptyState
        compact
        icon={SearchIcon}
        title="No function matches"
        action={<Button onClick={() => view.setQuery('')}>Clear the search</Button>}
      >
        Nothing that ran has “{view.query.trim()}” in its name or file.
      </EmptyState>
    )
  }
  const shown = [...found.subarray(0, limit)]
  return (
    <>
      <Table caption="Functions, heaviest by self time" stacksBelow={520} className={styles.table}>
        <Thead>
          <Th>Heaviest by self time</Th>
          <Th>File</Th>
          <Th numeric>Self</Th>
          <Th>
            <span className={styles.spoken}>Share</span>
          </Th>
          <Th numeric>Total</Th>
        </Thead>
        <Tbody>
          {shown.map((frame) => {
            const self = functions.self[frame] as number
            return (
              <Tr key={frame} className={styles.row} data-selected={frame === view.frame ? '' : undefined}>
                <Td mono className={styles.name}>
                  <button
                    type="button"
                    className={styles.choose}
                    aria-pressed={frame === view.frame}
                    onClick={() => view.selectFrame(frame)}
                  >
                    <VisibleText text={model.name[frame] ?? ''} />
                  </button>
                </Td>
                <Td quiet className={styles.file} title={model.place[frame]}>
                  <VisibleText text={shortPlace(model.place[frame] ?? '') || 'native'} />
                </Td>
                <Td numeric>
                  <span className={styles.unit}>self </span>
                  <strong className={styles.self}>{formatSpent(self / 1000)}</strong>
                </Td>
                <Td className={styles.share}>
                  <span
                    className={styles.bar}
                    data-kind={model.kind[frame]}
                    style={{ width: `${self === 0 ? 0 : Math.max(0.5, (self / most) * 100)}%` }}
                  />
                </Td>
                <Td numeric>
                  <span className={styles.unit}>total </span>
                  {formatSpent((functions.total[frame] as number) / 1000)}
                </Td>
              </Tr>
            )
          })}
        </Tbody>
      </Table>
      {found.length > limit && limit < ALL ? (
        <div className={styles.more}>
          <Button size="small" onClick={() => setLimit(ALL)}>
            Show {formatCount(Math.min(ALL, found.length) - limit)} more
          </Button>
        </div>
      ) : null}
    </>
  )
}
