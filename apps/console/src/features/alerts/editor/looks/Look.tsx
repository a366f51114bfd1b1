import type { Rendered } from '../../model/previews.ts'
import { CodeBlock, MailPage, VisibleText } from '../../../../ui/index.ts'
import { readableBody } from '../../model/previews.ts'
import styles from './Look.module.css'
import { PagerLook } from './PagerLook.tsx'
import { SlackLook } from './SlackLook.tsx'

/** One message as it looks where it arrives; what is sent for it stands below. */
export function Look({ sent, moment }: { readonly sent: Rendered; readonly moment: string }) {
  const look = lookOf(sent, moment)
  const wire = <CodeBlock wrap title={moment} code={readableBody(sent.body)} />
  if (look === null) return wire
  return (
    <div className={styles.look}>
      {look}
      <details className={styles.wire}>
        <summary>{sent.html === null ? 'What is sent' : 'As text'}</summary>
        {wire}
      </details>
    </div>
  )
}

const lookOf = ({ body, channel, html, subject }: Rendered, moment: string) => {
  if (html !== null) {
    return (
      <div className={styles.mail}>
        <p className={styles.subject}>
          <span>Subject</span> <VisibleText text={subject ?? ''} />
        </p>
        <MailPage html={html} title={`The mail of ${moment}`} className={styles.page} />
      </div>
    )
  }
  switch (channel) {
    case 'slack':
    case 'slack_bot':
      return <SlackLook body={body} moment={moment} />
    case 'pagerduty':
      return <PagerLook body={body} />
    default:
      return null
  }
}
