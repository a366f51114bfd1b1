import { ButtonLink, ClockIcon, CodeBlock, EmptyState } from '../../../ui/index.ts'
import { useSetUp } from '../../projects/set-up/index.ts'
import { pingLine } from '../model/ping.ts'
import styles from './NoMonitors.module.css'

/** No monitor yet: one line of a shell makes the first. */
export function NoMonitors({ org }: { readonly org: string }) {
  const example = useSetUp(org, [])
  return (
    <EmptyState
      icon={ClockIcon}
      title="Nothing is monitored yet"
      action={
        <ButtonLink to="/organizations/$org/monitors/new" params={{ org }}>
          New monitor
        </ButtonLink>
      }
    >
      <p>
        A job that should run, and does not, tells nobody. Let it check in: at the end of the job, this line is enough.
      </p>
      {example === null ? null : (
        <div className={styles.code}>
          <CodeBlock
            wrap
            title={`Makes the monitor nightly-backup in ${example.project.name}, due at 03:00 UTC`}
            code={pingLine(example.dsn, 'nightly-backup', '0 3 * * *')}
          />
        </div>
      )}
      <p>
        SDKs do it with <code>Sentry.withMonitor</code> and their cron integrations, programs with{' '}
        <code>sentry-cli monitors run</code>; their schedules come along by themselves.
      </p>
    </EmptyState>
  )
}
