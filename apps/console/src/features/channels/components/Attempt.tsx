import type { DeliveryAttempt } from '@firsthand/contract'
import { CodeBlock, RelativeTime } from '../../../ui/index.ts'
import styles from './channels.module.css'

const requestText = ({ request }: DeliveryAttempt): string =>
  [
    `${request.method} ${request.url}`,
    ...Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`),
    '',
    pretty(request.body),
  ].join('\n')

/** JSON with its lines; anything else as it is. */
const pretty = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    // A mail, or a body that was cut.
    return text
  }
}

/** One try: what was sent, what was answered, how long it took. */
export function Attempt({ attempt }: { readonly attempt: DeliveryAttempt }) {
  const { answer, durationMs, error, number, remoteAddress, request, startedAt, status } = attempt
  return (
    <section className={styles.try} aria-label={`Try ${number}`}>
      <p className={styles.tryHead}>
        <strong>Try {number}</strong>
        <RelativeTime time={startedAt} />
        {status === null ? null : <span>answered {status}</span>}
        {durationMs === null ? (
          <span>no outcome: the server ended, or it is under way</span>
        ) : (
          <span>{durationMs} ms</span>
        )}
        {remoteAddress === null ? null : <span>{remoteAddress}</span>}
      </p>
      {error === null ? null : <p>{error}</p>}
      {answer === null || answer === '' ? null : <CodeBlock wrap title="Answer" code={pretty(answer)} />}
      {request.url === '' ? null : (
        <details className={styles.more}>
          <summary>Request, without secrets</summary>
          <CodeBlock wrap title={`${request.method} ${request.url}`} code={requestText(attempt)} />
        </details>
      )}
    </section>
  )
}
