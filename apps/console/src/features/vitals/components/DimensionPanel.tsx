import { useQuery } from '@tanstack/react-query'
import { cx } from '../../../lib/cx.ts'
import {
  EmptyState,
  Loaded,
  Num,
  Panel,
  SegmentedControl,
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
import { formatShare } from '../../performance/model/index.ts'
import type { DimensionRow, Shares } from '../model/answers.ts'
import { hasElement } from '../model/questions.ts'
import { FACTS } from '../model/vitals.ts'
import { type Dimension, DIMENSIONS, type PageSearch, type Vital } from '../model/vitals-url.ts'
import { dimensionFile, dimensionQuery } from '../queries.ts'
import type { ChangePage } from './PageScreen.tsx'
import { RatedValue, ThinBadge } from './Rated.tsx'
import styles from './DimensionPanel.module.css'

const LABELS: Readonly<Record<Dimension, string>> = {
  browser: 'Browser',
  device: 'Device',
  system: 'System',
  country: 'Country',
  element: 'Element',
}

/** For whom a vital is good and for whom not. */
export function DimensionPanel({
  org,
  search,
  onChange,
}: {
  readonly org: string
  readonly search: PageSearch
  readonly onChange: ChangePage
}) {
  const { vital } = search
  const by = search.by === 'element' && !hasElement(vital) ? 'browser' : search.by
  const query = useQuery(dimensionQuery(org, { ...search, by }))
  return (
    <Panel
      content="rows"
      title={`${FACTS[vital].label} by`}
      className={query.isPlaceholderData ? styles.outdated : undefined}
      actions={
        <>
          <SegmentedControl
            aria-label="By what it is told apart"
            value={by}
            onValueChange={(next) => onChange({ by: next })}
            options={DIMENSIONS.filter((one) => one !== 'element' || hasElement(vital)).map((value) => ({
              value,
              label: LABELS[value],
            }))}
          />
          <ExportMenu
            things={`${FACTS[vital].label} by ${LABELS[by].toLowerCase()}`}
            addressOf={dimensionFile(org, { ...search, by })}
          />
        </>
      }
    >
      <Loaded query={query} compact failed="It could not be loaded" outline={<SkeletonRows rows={4} label="Loading" />}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState compact title={`No ${FACTS[vital].label} in this time`} />
          ) : (
            <DimensionTable vital={vital} label={LABELS[by]} rows={rows} />
          )
        }
      </Loaded>
    </Panel>
  )
}

const TABLE_WIDTH = 330

function DimensionTable({
  vital,
  label,
  rows,
}: {
  readonly vital: Vital
  readonly label: string
  readonly rows: readonly DimensionRow[]
}) {
  return (
    <Table caption={`${FACTS[vital].label} by ${label.toLowerCase()}`} minWidth={TABLE_WIDTH}>
      <Thead>
        <Th>{label}</Th>
        <Th numeric>p75</Th>
        <Th>Good</Th>
        <Th numeric>Samples</Th>
      </Thead>
      <Tbody>
        {rows.map(({ value, p75, samples, shares }) => (
          <Tr key={value}>
            <Td className={cx(styles.name, value === '' && styles.unknown)} title={value}>
              <VisibleText text={value === '' ? 'Not said' : value} /> <ThinBadge samples={samples} />
            </Td>
            <Td numeric>
              <RatedValue vital={vital} value={p75} samples={samples} />
            </Td>
            <Td className={styles.zones}>
              <Zones shares={shares} />
            </Td>
            <Td numeric quiet>
              <Num value={samples} compact />
            </Td>
          </Tr>
        ))}
      </Tbody>
    </Table>
  )
}

/** How many are good, need work, are poor. */
function Zones({ shares }: { readonly shares: Shares }) {
  return (
    <span className={styles.share}>
      <span
        className={styles.bar}
        role="img"
        aria-label={`${formatShare(shares.middling)} need work, ${formatShare(shares.poor)} poor`}
      >
        {(['good', 'middling', 'poor'] as const).map((zone) => (
          <span key={zone} data-zone={zone} style={{ width: `${shares[zone] * 100}%` }} />
        ))}
      </span>
      {formatShare(shares.good)}
    </span>
  )
}
