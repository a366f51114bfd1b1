import { useQuery } from '@tanstack/react-query'
import { cx } from '../../../lib/cx.ts'
import {
  Link,
  Loaded,
  Num,
  Panel,
  SkeletonRows,
  Table,
  Tbody,
  Td,
  Th,
  Thead,
  Tr,
  VisibleText,
} from '../../../ui/index.ts'
import { ExportMenu } from '../../explore/export/index.ts'
import { compactTransaction } from '../../performance/model/performance-search.ts'
import { isBad, type Row, textOf } from '../model/answers.ts'
import type { CallSearch } from '../model/calls-url.ts'
import { type CallKind, formatCell } from '../model/kinds.ts'
import { callersFile, callersQuery } from '../queries.ts'
import styles from './Panels.module.css'

const STACKS_BELOW = 640

interface Props {
  readonly org: string
  readonly kind: CallKind
  readonly search: CallSearch
}

/** The transactions in which it happens, most often first. */
export function CallersPanel({ org, kind, search }: Props) {
  const query = useQuery(callersQuery(org, kind, search))
  return (
    <Panel
      title="Called from"
      subtitle="transactions, most often first"
      content="rows"
      actions={<ExportMenu things="transactions" addressOf={callersFile(org, kind, search)} />}
      className={query.isPlaceholderData ? styles.outdated : undefined}
    >
      <Loaded
        query={query}
        compact
        failed="It could not be loaded"
        outline={<SkeletonRows rows={4} label="Loading what it is called from" />}
      >
        {(rows) => <Callers org={org} kind={kind} search={search} rows={rows} />}
      </Loaded>
    </Panel>
  )
}

function Callers({ org, kind, search, rows }: Props & { readonly rows: readonly Row[] }) {
  const columns = kind.columns.filter(({ field }) => field !== 'epm()')
  const { group: _, ...scope } = search
  return (
    <Table caption="Called from" stacksBelow={STACKS_BELOW} minWidth={STACKS_BELOW}>
      <Thead>
        <Th>Transaction</Th>
        <Th numeric>Times</Th>
        {columns.map(({ key, label, title, minor }) => (
          <Th key={key} numeric title={title} className={minor && styles.minor}>
            {label}
          </Th>
        ))}
      </Thead>
      <Tbody>
        {rows.map((row) => {
          const transaction = textOf(row['transaction'])
          const project = textOf(row['project.id'])
          return (
            <Tr key={`${project} ${transaction}`} className={styles.row}>
              <Td className={styles.name}>
                {transaction === '' ? (
                  <span className={styles.quiet}>none: it came by itself</span>
                ) : (
                  <Link
                    look="quiet"
                    to="/organizations/$org/performance/summary"
                    params={{ org }}
                    search={compactTransaction({ ...scope, project: [project], transaction })}
                  >
                    <VisibleText text={transaction} />
                  </Link>
                )}
              </Td>
              <Td numeric>
                <Num value={Number(row['count()'] ?? 0)} compact />
                <span className={styles.unit}> times</span>
              </Td>
              {columns.map((column) => (
                <Td
                  key={column.key}
                  numeric
                  className={cx(column.minor && styles.minor, isBad(column, row) && styles.bad)}
                >
                  <span className={styles.unit}>{column.label} </span>
                  {formatCell(column.form, row[column.field])}
                </Td>
              ))}
            </Tr>
          )
        })}
      </Tbody>
    </Table>
  )
}
