import type { Tracker } from '@firsthand/contract'
import { Button, CodeBlock, Dialog, Notice } from '../../../ui/index.ts'
import { KINDS } from '../model/kinds.ts'
import styles from './trackers.module.css'

/** What to enter at the tracker, so that it tells of its changes. */
export function WebhookDialog({
  tracker,
  secret,
  onClose,
}: {
  readonly tracker: Tracker
  /** Only of a new one: it is shown once. */
  readonly secret: string | null
  readonly onClose: () => void
}) {
  const { hasWebhookSecret, kind, name, webhookUrl } = tracker
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`Webhook of ${name}`}
      description={`${KINDS[kind].webhook} Then what is closed or opened there is so here within seconds.`}
      footer={<Button onClick={onClose}>Done</Button>}
    >
      <div className={styles.stack}>
        <CodeBlock wrap title="Address" code={webhookUrl} />
        {secret === null ? null : (
          <>
            <CodeBlock wrap title="Secret" code={secret} />
            <Notice tone="warning">Copy the secret now: it is shown only once.</Notice>
          </>
        )}
        {secret === null && kind !== 'linear' ? (
          <p className={styles.sub}>The secret was shown when it was made. If it is lost, make a new one.</p>
        ) : null}
        {kind === 'linear' && !hasWebhookSecret ? (
          <Notice tone="warning">Linear is not heard yet: choose “Change” and enter the signing secret.</Notice>
        ) : null}
      </div>
    </Dialog>
  )
}
