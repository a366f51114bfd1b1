import { useQueries, type UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { describeError } from '../../../lib/api.ts'
import { cx } from '../../../lib/cx.ts'
import { Button, Skeleton } from '../../../ui/index.ts'
import { formatShare } from '../../performance/model/index.ts'
import type { VitalCard } from '../model/answers.ts'
import { BARS } from '../model/questions.ts'
import { FACTS, formatLimit, formatVital, scoreText } from '../model/vitals.ts'
import { type Vital, VITALS } from '../model/vitals-url.ts'
import type { pageCardQuery } from '../queries.ts'
import { RatingBadge, ThinBadge } from './Rated.tsx'
import { VitalNotes } from './VitalNotes.tsx'
import styles from './VitalCards.module.css'

type CardQuery = ReturnType<typeof pageCardQuery>

/** Of value, distribution and share, in CSS pixels. */
const CARD_HEIGHT = 111

interface CardsProps {
  readonly queryOf: (vital: Vital) => CardQuery
  /** Which of them is looked at closer, and how another one is chosen. */
  readonly chosen?: { readonly vital: Vital; readonly onChoose: (vital: Vital) => void }
}

/** The five vitals side by side: value at p75, rating, distribution in three zones, share of good; below, what that means. */
export function VitalCards({ queryOf, chosen }: CardsProps) {
  const answers = useQueries({ queries: VITALS.map(queryOf) })
  const isMeasured = answers.some(({ data }) => (data?.p75 ?? null) !== null)
  // What has no value says so once something has one, or nothing has: five may become one sentence.
  const mayBeNone = !isMeasured && answers.some(({ isPending }) => isPending)
  return (
    <div>
      <ul className={styles.cards} aria-label="Web vitals at p75">
        {VITALS.map((vital, place) => {
          const answer = answers[place]
          return answer === undefined ? null : (
            <li key={vital} className={styles.item}>
              <Card vital={vital} answer={answer} mayBeNone={mayBeNone} chosen={chosen} />
            </li>
          )
        })}
      </ul>
      <VitalNotes />
    </div>
  )
}

function Card({
  vital,
  answer: { data, error, isPlaceholderData, refetch },
  mayBeNone,
  chosen,
}: {
  readonly vital: Vital
  readonly answer: UseQueryResult<VitalCard>
  readonly mayBeNone: boolean
  readonly chosen: CardsProps['chosen']
}) {
  const { label, means, explained } = FACTS[vital]
  const isChosen = chosen?.vital === vital
  const name = (
    <span className={styles.name} title={explained}>
      <strong>{label}</strong> <span>{means}</span>
    </span>
  )
  return (
    <section className={cx(styles.card, isPlaceholderData && styles.outdated)} data-chosen={isChosen ? '' : undefined}>
      {chosen === undefined ? (
        <h2 className={styles.head}>{name}</h2>
      ) : (
        <h2 className={styles.head}>
          <button
            type="button"
            className={styles.choose}
            aria-pressed={isChosen}
            onClick={() => chosen.onChoose(vital)}
          >
            {name}
          </button>
        </h2>
      )}
      {data !== undefined && !(mayBeNone && data.p75 === null) ? (
        <Facts vital={vital} card={data} />
      ) : error === null ? (
        <div className={styles.coming}>
          <Skeleton height={CARD_HEIGHT} />
        </div>
      ) : (
        <p className={styles.failed}>
          {describeError(error).detail ?? 'It could not be loaded.'}{' '}
          <Button size="small" onClick={() => void refetch()}>
            Try again
          </Button>
        </p>
      )}
    </section>
  )
}

function Facts({ vital, card }: { readonly vital: Vital; readonly card: VitalCard }): ReactNode {
  const { p75, samples, score, shares } = card
  if (p75 === null) return <p className={styles.nothing}>Not measured in this time.</p>
  return (
    <>
      <p className={styles.main}>
        <span className={styles.value}>{formatVital(vital, p75)}</span>
        <RatingBadge vital={vital} value={p75} />
        <ThinBadge samples={samples} />
      </p>
      <Distribution vital={vital} card={card} p75={p75} />
      <p className={styles.foot}>
        {formatShare(shares.good)} good of {card.of}
        {score === null ? null : (
          <>
            {' · '}
            <span className={styles.score} title={scoreText(vital)}>
              score {Math.round(score * 100)}
            </span>
          </>
        )}
      </p>
    </>
  )
}

const HEIGHT = 40

/** Bars in three zones, both limits as ticks, and where p75 is. */
function Distribution({
  vital,
  card: { bars, shares },
  p75,
}: {
  readonly vital: Vital
  readonly card: VitalCard
  readonly p75: number
}) {
  const { good, poor, step } = FACTS[vital]
  const most = Math.max(1, ...bars)
  const width = BARS + 1
  const placeOf = (value: number): number => (Math.min(value / step, width - 0.1) / width) * 100
  return (
    <div className={styles.distribution}>
      <svg
        className={styles.bars}
        viewBox={`0 0 ${width} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${formatShare(shares.good)} good, ${formatShare(shares.middling)} need work, ${formatShare(shares.poor)} poor`}
      >
        {bars.map((count, index) => {
          const end = (index + 1) * step
          const zone = end <= good * 1.0001 ? 'good' : end <= poor * 1.0001 ? 'middling' : 'poor'
          if (count === 0) return null
          const height = Math.max(2, (count / most) * HEIGHT)
          return <rect key={end} data-zone={zone} x={index + 0.1} y={HEIGHT - height} width={0.8} height={height} />
        })}
      </svg>
      <span className={styles.p75} style={{ left: `${placeOf(p75)}%` }} aria-hidden="true" />
      <span className={styles.tick} style={{ left: `${placeOf(good)}%` }}>
        {formatLimit(vital, good)}
      </span>
      <span className={styles.tick} style={{ left: `${placeOf(poor)}%` }}>
        {formatLimit(vital, poor)}
      </span>
    </div>
  )
}
