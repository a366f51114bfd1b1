import { Button, CopyButton, Dialog } from '../../../ui/index.ts'
import styles from './settings.module.css'

/** A secret that is shown only once, to be copied. */
export function SecretDialog({
  title,
  description,
  secret,
  label,
  onClose,
}: {
  readonly title: string
  readonly description: string
  readonly secret: string
  /** What is copied: "token". */
  readonly label: string
  readonly onClose: () => void
}) {
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={title}
      description={description}
      footer={
        <>
          <Button onClick={onClose}>Done</Button>
          <CopyButton text={secret} label={label} withText size="normal" variant="primary" />
        </>
      }
    >
      <div className={styles.secret}>
        <code>{secret}</code>
      </div>
    </Dialog>
  )
}
