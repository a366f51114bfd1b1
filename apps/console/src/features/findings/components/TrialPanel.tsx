import type { FindingSettings, FindingTrial } from '@firsthand/contract'
import type { ReactNode } from 'react'
import { formatCount } from '../../../lib/format.ts'
import { Badge, Link, Panel, Table, Tbody, Td, Th, Thead, Tr, VisibleText } from '../../../ui/index.ts'
import styles from './ProjectFindings.module.css'

interface TrialProps {
  readonly org: string
  /** Null before one was made. */
  readonly trial: FindingTrial | null
  readonly settings: FindingSettings
  /** The button that makes one. */
  readonly children: ReactNode
}

/** What the settings above would have found, before they are saved. */
export function TrialPanel({ org, trial, settings, children }: TrialProps) {
  return (
    <Panel title="Before you save" content="rows" actions={children}>
      {trial === null ? (
        <p className={styles.none}>
          See what these settings would have found in the traces of the last day. Nothing is changed by it, and no issue
          is made. Slower transactions are not tried: hours of them are compared, not traces.
        </p>
      ) : (
        <Found org={org} trial={trial} settings={settings} />
      )}
    </Panel>
  )
}

function Found({ org, trial, settings }: Omit<TrialProps, 'children' | 'trial'> & { readonly trial: FindingTrial }) {
  const total = (of: 'issues' | 'occurrences'): number => trial.detectors.reduce((sum, one) => sum + one[of], 0)
  const titles = new Map(settings.detectors.map(({ id, title }) => [id, title]))
  return (
    <>
      <p className={styles.sum} role="status">
        <strong>
          {formatCount(total('issues'))} {total('issues') === 1 ? 'issue' : 'issues'}
        </strong>{' '}
        from {formatCount(total('occurrences'))} findings in {formatCount(trial.traces)} traces of the last 24 hours
        {trial.truncated ? ', the newest of more' : ''}.
      </p>
      {trial.examples.length === 0 ? null : (
        <Table caption="What would have been found" minWidth={640}>
          <Thead>
            <Th>Problem</Th>
            <Th>Transaction</Th>
            <Th numeric>Seen</Th>
            <Th>Result</Th>
          </Thead>
          <Tbody>
            {trial.examples.map((example) => (
              <Tr key={`${example.detector} ${example.transaction} ${example.text}`}>
                <Td>
                  <Link
                    to="/organizations/$org/traces/$trace"
                    params={{ org, trace: example.traceId }}
                    title={example.sentence}
                  >
                    {titles.get(example.detector) ?? example.title}
                  </Link>
                  <span className={styles.example}>
                    <VisibleText text={example.text} />
                  </span>
                </Td>
                <Td>
                  <VisibleText text={example.transaction} />
                </Td>
                <Td numeric>{formatCount(example.occurrences)}</Td>
                <Td>{example.isIssue ? <Badge tone="accent">An issue</Badge> : <span>not seen often enough</span>}</Td>
              </Tr>
            ))}
          </Tbody>
        </Table>
      )}
    </>
  )
}
