import type { Receipt } from '@firsthand/contract'
import { useState } from 'react'
import { cx } from '../../../lib/cx.ts'
import { formatBytes } from '../../../lib/format.ts'
import { Badge, Button, Link, Num, Panel, RelativeTime, Table, Tbody, Td, Th, Thead, Tr } from '../../../ui/index.ts'
import { explainReason } from '../model/reasons.ts'
import { OUTCOME_LABELS } from '../model/receipts.ts'
import styles from './ReceiptsTable.module.css'

/** Rows shown before "Show all": more is rarely read, and all of it would be slow. */
const FIRST_ROWS = 100

type Total = Omit<Receipt, 'timestamp'> & { readonly lastSeen: string }

/** What arrived, what became of it, why, and what to do about it. */
export function ReceiptsTable({
  org,
  rows,
  projects,
  oneProject,
}: {
  readonly org: string
  readonly rows: readonly Total[]
  readonly projects: readonly { readonly id: string; readonly slug: string; readonly name: string }[]
  readonly oneProject: boolean
}) {
  const [all, setAll] = useState(false)
  const shown = all ? rows : rows.slice(0, FIRST_ROWS)
  return (
    <Panel content="rows">
      <Table caption="Receipts" minWidth={1020} stacksBelow={1020}>
        <Thead>
          <Th>Outcome</Th>
          <Th>Why, and what to do</Th>
          {oneProject ? null : <Th>Project</Th>}
          <Th>Item type</Th>
          <Th>SDK</Th>
          <Th numeric>Items</Th>
          <Th numeric>Size</Th>
          <Th numeric>Last</Th>
        </Thead>
        <Tbody>
          {shown.map((row) => {
            const { label, tone } = OUTCOME_LABELS[row.outcome]
            const project = projects.find((candidate) => candidate.id === row.projectId)
            const reason = explainReason(row.outcome, row.reason)
            return (
              <Tr key={[row.projectId, row.outcome, row.reason, row.itemType, row.category, row.sdk].join('\n')}>
                <Td className={cx(styles.top, styles.outcome)}>
                  <Badge tone={tone}>{label}</Badge>
                </Td>
                <Td className={styles.why}>
                  {reason === null ? (
                    <span className={styles.quiet}>Stored and shown.</span>
                  ) : (
                    <>
                      {reason.why} <span className={styles.quiet}>{reason.todo}</span>
                      {reason.setting !== undefined && project !== undefined ? (
                        <>
                          {' '}
                          <Link
                            to="/organizations/$org/settings/projects/$project"
                            params={{ org, project: project.slug }}
                            search={reason.setting === 'general' ? {} : { tab: reason.setting }}
                          >
                            Open the setting
                          </Link>
                        </>
                      ) : null}
                      <code className={styles.code}>{row.reason}</code>
                    </>
                  )}
                </Td>
                {oneProject ? null : (
                  <Td className={cx(styles.top, styles.project)}>{project?.name ?? `#${row.projectId}`}</Td>
                )}
                <Td className={styles.top} mono>
                  {row.itemType}
                </Td>
                <Td className={cx(styles.top, row.sdk === '' && styles.nothing)} mono quiet>
                  {row.sdk === '' ? '–' : <SdkName name={row.sdk} />}
                </Td>
                <Td className={cx(styles.top, styles.items)} numeric>
                  <Num value={row.quantity} />
                  <span className={styles.unit}> {row.quantity === 1 ? 'item' : 'items'}</span>
                </Td>
                <Td className={cx(styles.top, row.bytes === 0 && styles.nothing)} numeric quiet>
                  {row.bytes === 0 ? '–' : formatBytes(row.bytes)}
                </Td>
                <Td className={styles.top} numeric quiet>
                  <RelativeTime time={row.lastSeen} form="age" />
                  <span className={styles.unit}> ago</span>
                </Td>
              </Tr>
            )
          })}
        </Tbody>
      </Table>
      {rows.length > shown.length ? (
        <div className={styles.more}>
          <Button size="small" onClick={() => setAll(true)}>
            Show all {rows.length} rows
          </Button>
        </div>
      ) : null}
    </Panel>
  )
}

/** `sentry.javascript.browser/11.10.0`, which may become two lines before its version. */
function SdkName({ name }: { readonly name: string }) {
  const at = name.lastIndexOf('/') + 1
  return (
    <>
      {name.slice(0, at)}
      <wbr />
      {name.slice(at)}
    </>
  )
}
