import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { cx } from '../../../lib/cx.ts'
import { describeError } from '../../../lib/api.ts'
import { formatCount } from '../../../lib/format.ts'
import { useProjectNames } from '../../../lib/shared-queries.ts'
import { ErrorState, SkeletonRows } from '../../../ui/index.ts'
import { type BoxComparison, comparedText } from '../model/box.ts'
import { datasetOf } from '../model/datasets.ts'
import type { ExploreSearch } from '../model/explore-search.ts'
import type { BoxRange } from '../model/heat.ts'
import { narrowed } from '../model/narrowed.ts'
import { shownValue } from '../model/shown-value.ts'
import { boxQuery } from '../queries.ts'
import type { Change } from './ExploreScreen.tsx'
import styles from './BoxDifferences.module.css'

interface Props {
  readonly org: string
  readonly search: ExploreSearch
  readonly range: BoxRange
  readonly onChange: Change
}

/** What tells those in the box from all others: by attribute, inside against outside. */
export function BoxDifferences({ org, search, range, onChange }: Props) {
  const { data, error, isPlaceholderData, refetch } = useQuery({
    ...boxQuery(org, search, range),
    placeholderData: keepPreviousData,
  })
  return (
    <section
      className={cx(styles.panel, isPlaceholderData && styles.outdated)}
      aria-label="What is different in the box"
      aria-busy={data === undefined || isPlaceholderData}
    >
      <h3 className={styles.title}>What is different in the box</h3>
      {data !== undefined ? (
        <Compared {...data} org={org} search={search} onChange={onChange} />
      ) : error === null ? (
        <SkeletonRows rows={3} label="Comparing what is in the box" />
      ) : (
        <ErrorState
          compact
          title="The box could not be compared"
          {...describeError(error)}
          onRetry={() => void refetch()}
        />
      )}
    </section>
  )
}

function Compared({
  org,
  search,
  onChange,
  ...comparison
}: BoxComparison & Pick<Props, 'org' | 'search' | 'onChange'>) {
  const projects = useProjectNames(org)
  const { differences } = comparison
  return (
    <>
      <p className={styles.note}>{comparedText(comparison, datasetOf(search.dataset).things)}</p>
      {differences.length === 0 ? null : (
        <>
          <ol className={styles.list}>
            {differences.map(({ key, name, value, inside, outside, alike }) => (
              <li key={key}>
                <div className={styles.head}>
                  <span className={styles.name} title={[name, ...alike].join(', ')}>
                    {[name, ...alike].join(', ')}
                  </span>
                  <button
                    type="button"
                    className={styles.value}
                    title={`Only ${name}: ${shownValue(key, value, projects)}`}
                    onClick={() => onChange({ query: narrowed(search.query, key, value) })}
                  >
                    {shownValue(key, value, projects)}
                  </button>
                </div>
                <Bar share={inside} side="in the box" className={styles.inside} />
                <Bar share={outside} side="outside" className={styles.outside} />
              </li>
            ))}
          </ol>
          <p className={styles.legend} aria-hidden="true">
            <span className={styles.inside}>in the box</span>
            <span className={styles.outside}>outside</span>
          </p>
        </>
      )}
    </>
  )
}

function Bar({
  share,
  side,
  className,
}: {
  readonly share: number
  readonly side: string
  readonly className: string | undefined
}) {
  return (
    <div className={cx(styles.bar, className)}>
      <span className={styles.share}>
        {formatPercent(share)}
        <span className={styles.spoken}> {side}</span>
      </span>
      <span className={styles.track} aria-hidden="true">
        <span className={styles.fill} style={{ width: `${share * 100}%` }} />
      </span>
    </div>
  )
}

/** What is there is never 0 %, and what is not everywhere never 100 %. */
function formatPercent(share: number): string {
  const percent = Math.round(share * 100)
  if (percent === 0 && share > 0) return '<1%'
  return percent === 100 && share < 1 ? '>99%' : `${formatCount(percent)}%`
}
