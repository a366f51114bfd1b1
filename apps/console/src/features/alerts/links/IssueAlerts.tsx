import { useQuery } from '@tanstack/react-query'

import { Link, Loaded, Skeleton, VisibleText } from '../../../ui/index.ts'
import { Evaluation } from '../rule/WhyPanel.tsx'
import { issueAlertsQuery } from './queries.ts'
import styles from './IssueAlerts.module.css'

/** Why alerts spoke of an issue, and why others did not: "why did nobody hear of it?" */
export function IssueAlerts({ org, issue }: { readonly org: string; readonly issue: string }) {
  const query = useQuery(issueAlertsQuery(org, issue))
  return (
    <section aria-label="Who was told">
      <h2 className={styles.title}>{titleOf(query.data)}</h2>
      <Loaded compact query={query} outline={<Skeleton height={64} />} failed="The alerts could not be loaded">
        {({ rules }) =>
          rules.length === 0 ? (
            <p className={styles.quiet}>
              No alert watches this project.{' '}
              <Link look="text" to="/organizations/$org/alerts/new" params={{ org }}>
                Add one
              </Link>
            </p>
          ) : (
            <ul className={styles.rules}>
              {rules.map(({ rule, spoke, sentence, evaluations }) => (
                <li key={rule.id} className={styles.rule}>
                  <details>
                    <summary className={styles.summary}>
                      <span className={styles.mark} data-spoke={spoke} aria-hidden="true" />
                      <span className={styles.words}>
                        <b>
                          <VisibleText text={rule.name} />
                        </b>{' '}
                        {spoke ? 'spoke' : 'did not speak'}
                      </span>
                    </summary>
                    <p className={styles.sentence}>
                      <VisibleText text={sentence} />{' '}
                      <Link look="text" to="/organizations/$org/alerts/$alert" params={{ org, alert: rule.id }}>
                        Open the alert
                      </Link>
                    </p>
                    {evaluations.map((evaluation) => (
                      <Evaluation
                        key={evaluation.id}
                        org={org}
                        evaluation={{ ...evaluation, issue: null }}
                        isOfNow
                        isStacked
                      />
                    ))}
                  </details>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  )
}

function titleOf(data: { readonly rules: readonly { readonly spoke: boolean }[] } | undefined): string {
  if (data === undefined || data.rules.length === 0) return 'Who was told'
  return data.rules.some(({ spoke }) => spoke) ? 'Who was told' : 'Why did nobody hear?'
}
