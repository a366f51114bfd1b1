import { CodeBlock, Link } from '../../../ui/index.ts'
import styles from './Lists.module.css'

/** What there is none of yet, with the whole command that tells of it. */
export function ToType({
  lead,
  title,
  code,
  org,
}: {
  readonly lead: string
  readonly title: string
  readonly code: string
  readonly org: string
}) {
  return (
    <>
      <p className={styles.quiet}>{lead}</p>
      <CodeBlock wrap title={title} code={code} />
      <p className={styles.quiet}>
        It reads <code>SENTRY_AUTH_TOKEN</code>:{' '}
        <Link to="/organizations/$org/settings/tokens" params={{ org }}>
          make a token
        </Link>{' '}
        for builds.
      </p>
    </>
  )
}
