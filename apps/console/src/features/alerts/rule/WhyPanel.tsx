import type { AlertEvaluation, AlertRule } from '@firsthand/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { cx } from '../../../lib/cx.ts'
import { formatCount, formatDuration, formatExact } from '../../../lib/format.ts'
import { formatMoment } from '../../../lib/moments.ts'
import { Link, Loaded, Panel, SegmentedControl, ShowMore, SkeletonRows, VisibleText } from '../../../ui/index.ts'
import { decisionText } from '../model/decisions.ts'
import { foldEvaluations } from '../model/fold-evaluations.ts'
import { evaluationsQuery } from '../queries.ts'
import styles from './WhyPanel.module.css'

/** Entries of the log that are shown at first, and further ones each time. */
const SHOWN = 10

/** Why it fired and, as plainly, why it did not: every evaluation of the last 14 days. */
export function WhyPanel({
  org,
  rule,
  all,
  onAll,
}: {
  readonly org: string
  readonly rule: AlertRule
  /** Also those that came to the same as the one before. */
  readonly all: boolean
  readonly onAll: (all: boolean) => void
}) {
  const query = useInfiniteQuery(evaluationsQuery(org, rule.id, all))
  const [shown, setShown] = useState(SHOWN)
  return (
    <Panel
      title="Why, and why not"
      content="rows"
      actions={
        <SegmentedControl
          aria-label="Which evaluations"
          value={all ? 'all' : 'changes'}
          options={[
            { value: 'changes', label: 'Changes' },
            { value: 'all', label: 'All' },
          ]}
          onValueChange={(value) => onAll(value === 'all')}
        />
      }
    >
      <Loaded compact query={query} outline={<SkeletonRows rows={5} />} failed="The evaluations could not be loaded">
        {({ pages }) => {
          const folded = foldEvaluations(pages.flatMap((page) => page.data))
          if (folded.length === 0)
            return (
              <p className={styles.none}>
                {all
                  ? 'It was not evaluated yet.'
                  : 'Nothing has changed yet: each time it was evaluated it came to the same.'}
              </p>
            )
          return (
            <>
              <ol className={styles.log} aria-label="Evaluations">
                {folded.slice(0, shown).map(({ first, others }) => (
                  <li key={first.id}>
                    <Evaluation org={org} evaluation={first} isOfNow={first.ruleVersion === rule.version} />
                    {others.length === 0 ? null : <Others org={org} others={others} />}
                  </li>
                ))}
              </ol>
              <ShowMore
                query={{
                  hasNextPage: folded.length > shown || query.hasNextPage,
                  isFetchingNextPage: query.isFetchingNextPage,
                  fetchNextPage: () => {
                    setShown(shown + SHOWN)
                    // What is loaded is shown first.
                    if (folded.length < shown + SHOWN && query.hasNextPage) void query.fetchNextPage()
                  },
                }}
              />
            </>
          )
        }}
      </Loaded>
    </Panel>
  )
}

/** What came to the same as the one above it: what each is of, where somebody asks. */
function Others({ org, others }: { readonly org: string; readonly others: readonly AlertEvaluation[] }) {
  return (
    <details className={styles.others}>
      <summary>{formatCount(others.length)} more like this</summary>
      <ul aria-label="More like this">
        {others.map((evaluation) => (
          <li key={evaluation.id}>
            <time dateTime={evaluation.at} title={formatExact(Date.parse(evaluation.at))}>
              {formatMoment('hour', Date.parse(evaluation.at))}
            </time>
            <span>
              <Subject org={org} evaluation={evaluation} />
            </span>
          </li>
        ))}
      </ul>
    </details>
  )
}

/** What it is of: an issue, by its title, or a group. */
function Subject({ org, evaluation }: { readonly org: string; readonly evaluation: AlertEvaluation }) {
  const { group, issue } = evaluation
  return (
    <>
      {issue === null ? null : (
        <Link look="text" to="/organizations/$org/issues/$issue" params={{ org, issue: issue.id }}>
          {issue.shortId} <VisibleText text={issue.title} />
        </Link>
      )}
      {group.map(({ name, value }) => (
        <span key={name} className={styles.group}>
          <VisibleText text={`${name} ${value}`} />
        </span>
      ))}
    </>
  )
}

/** One evaluation: when, what it came to, why, in the words of then. */
export function Evaluation({
  org,
  evaluation,
  isOfNow,
  isStacked = false,
}: {
  readonly org: string
  readonly evaluation: AlertEvaluation
  /** The rule has not been changed since. */
  readonly isOfNow: boolean
  /** The time stands above the words, where there is little room. */
  readonly isStacked?: boolean
}) {
  const { word, mark } = decisionText(evaluation.decision)
  const timeMs = Date.parse(evaluation.at)
  return (
    <div className={cx(styles.evaluation, isStacked && styles.stacked)}>
      <time className={styles.time} dateTime={evaluation.at} title={formatExact(timeMs)}>
        {formatMoment('hour', timeMs)}
      </time>
      <span className={styles.mark} data-mark={mark} aria-hidden="true" />
      <div className={styles.said}>
        <b>{word}</b> <Subject org={org} evaluation={evaluation} />
        <span className={styles.sentence}>
          <VisibleText text={evaluation.sentence} />
        </span>
        <span className={styles.more}>{moreOf(evaluation, isOfNow)}</span>
      </div>
    </div>
  )
}

const LATE_SECONDS = 60

/** What an evaluation cost, that it came late, that others like it followed, that the rule was another one. */
function moreOf({ lateSeconds, milliseconds, repeated, rows, ruleVersion }: AlertEvaluation, isOfNow: boolean): string {
  return [
    ...(repeated > 0 ? [`and ${formatCount(repeated)} more like it`] : []),
    ...(lateSeconds >= LATE_SECONDS ? [`evaluated ${formatDuration(lateSeconds * 1000)} late`] : []),
    ...(rows === null || milliseconds === null
      ? []
      : [`${formatCount(rows)} rows, ${formatCount(Math.round(milliseconds))} ms`]),
    ...(isOfNow ? [] : [`version ${ruleVersion} of the alert`]),
  ].join(' · ')
}
