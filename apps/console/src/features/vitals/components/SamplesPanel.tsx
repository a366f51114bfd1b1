import { useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import { formatSpent } from '../../../lib/spent-time.ts'
import {
  EmptyState,
  Loaded,
  Panel,
  RelativeTime,
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
import { TraceLink } from '../../traces/links/index.ts'
import type { Phase, Sample } from '../model/answers.ts'
import { FACTS } from '../model/vitals.ts'
import type { PageSearch, Vital } from '../model/vitals-url.ts'
import { samplesFile, samplesQuery } from '../queries.ts'
import { RatedValue } from './Rated.tsx'
import { ENOUGH_SAMPLES } from '../model/vitals.ts'
import styles from './SamplesPanel.module.css'

/** The worst values of a vital, with the element and the part of the time that is to blame; each opens its trace. */
export function SamplesPanel({ org, search }: { readonly org: string; readonly search: PageSearch }) {
  const query = useQuery(samplesQuery(org, search))
  return (
    <Panel
      content="rows"
      title="Worst samples"
      subtitle="each opens its trace"
      actions={<ExportMenu things="samples" addressOf={samplesFile(org, search)} />}
      className={query.isPlaceholderData ? styles.outdated : undefined}
    >
      <Loaded
        query={query}
        compact
        failed="The samples could not be loaded"
        outline={<SkeletonRows rows={6} label="Loading the samples" />}
      >
        {(samples) =>
          samples.length === 0 ? (
            <EmptyState compact title={`No ${FACTS[search.vital].label} of this page in this time`} />
          ) : (
            <Samples org={org} vital={search.vital} samples={samples} />
          )
        }
      </Loaded>
    </Panel>
  )
}

const STACKS_BELOW = 620

function Samples({
  org,
  vital,
  samples,
}: {
  readonly org: string
  readonly vital: Vital
  readonly samples: readonly Sample[]
}) {
  const hasPhases = samples.some(({ phases }) => phases.length > 0)
  const hasBlame = vital === 'lcp' || vital === 'inp' || vital === 'cls'
  return (
    <Table caption="Worst samples" stacksBelow={STACKS_BELOW} className={styles.samples}>
      <Thead>
        <Th>Trace</Th>
        <Th numeric>{FACTS[vital].label}</Th>
        {hasBlame ? <Th>To blame</Th> : null}
        {hasPhases ? <Th>Where the time went</Th> : null}
        <Th>Browser</Th>
        <Th numeric>When</Th>
      </Thead>
      <Tbody>
        {samples.map((sample) => (
          <Tr key={`${sample.trace} ${sample.id}`} className={styles.row}>
            <Td mono>
              <TraceLink org={org} trace={sample.trace} span={sample.id} />
            </Td>
            <Td numeric>
              {/* A single value is not thin. */}
              <RatedValue vital={vital} value={sample.value} samples={ENOUGH_SAMPLES} />
            </Td>
            {hasBlame ? (
              <Td className={styles.blame}>
                <Blame sample={sample} />
              </Td>
            ) : null}
            {hasPhases ? (
              <Td className={styles.phases}>
                <Phases phases={sample.phases} />
              </Td>
            ) : null}
            <Td className={styles.cut} quiet title={[sample.browser, sample.device, sample.country].join(' ').trim()}>
              <VisibleText
                text={[sample.browser, sample.device, sample.country].filter((word) => word !== '').join(', ') || '–'}
              />
            </Td>
            <Td numeric quiet>
              <RelativeTime time={sample.timestamp} form="age" />
            </Td>
          </Tr>
        ))}
      </Tbody>
    </Table>
  )
}

function Blame({ sample: { blame, url } }: { readonly sample: Sample }) {
  if (blame.length === 0 && url === '') return <span className={styles.unknown}>not said</span>
  return (
    <>
      {blame.map((element) => (
        <code key={element} className={styles.element} title={element}>
          <VisibleText text={element} />
        </code>
      ))}
      {url === '' ? null : (
        <span className={styles.url} title={url}>
          <VisibleText text={url} />
        </span>
      )}
    </>
  )
}

/** Parts of the time, in their order, as wide as they took. */
function Phases({ phases }: { readonly phases: readonly Phase[] }) {
  if (phases.length === 0) return <span className={styles.unknown}>not said</span>
  const all = Math.max(
    1e-9,
    phases.reduce((sum, { took }) => sum + took, 0),
  )
  return (
    <span className={styles.phased}>
      <span className={styles.bar} aria-hidden="true">
        {phases.map(({ label, took }) => (
          <span key={label} style={{ width: `${(took / all) * 100}%` }} />
        ))}
      </span>
      <span className={styles.words}>
        {phases.map(({ label, took }, place) => (
          <Fragment key={label}>
            {place === 0 ? '' : ' · '}
            <span className={styles.phase}>
              {label} {formatSpent(took)}
            </span>
          </Fragment>
        ))}
      </span>
    </span>
  )
}
