import { AlertDialog as Base } from '@base-ui/react/alert-dialog'
import { useState, type ReactNode } from 'react'
import { cx } from '../lib/cx.ts'
import { Button } from './Button.tsx'
import { Field } from './Field.tsx'
import { Input } from './Input.tsx'
import styles from './Dialog.module.css'
import own from './AlertDialog.module.css'

export interface AlertDialogProps {
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
  /** The question: "Delete project shop-web?" */
  readonly title: ReactNode
  /** What will be lost and whether it can come back. */
  readonly description: ReactNode
  /** The verb: "Delete project". */
  readonly confirmLabel: string
  /** A text that must be typed first, for what cannot be taken back. */
  readonly typedConfirmation?: string
  readonly busy?: boolean
  /** What has the focus afterwards when what opened it may be gone; otherwise what opened it. */
  readonly finalFocus?: () => HTMLElement | null
  readonly onConfirm: () => void
}

/** Asks before something is lost. Nothing outside closes it by accident. */
export function AlertDialog({
  open,
  onOpenChange,
  title,
  description,
  confirmLabel,
  typedConfirmation,
  busy = false,
  finalFocus,
  onConfirm,
}: AlertDialogProps) {
  const [typed, setTyped] = useState('')
  const ready = typedConfirmation === undefined || typed.trim() === typedConfirmation
  return (
    <Base.Root
      open={open}
      onOpenChange={(next) => {
        setTyped('')
        onOpenChange(next)
      }}
    >
      <Base.Portal>
        <Base.Backdrop className={styles.backdrop} />
        <Base.Viewport className={styles.viewport}>
          <Base.Popup className={cx(styles.popup, styles.small)} {...(finalFocus !== undefined && { finalFocus })}>
            <form
              noValidate
              className={own.content}
              onSubmit={(event) => {
                event.preventDefault()
                event.stopPropagation()
                if (ready && !busy) onConfirm()
              }}
            >
              <Base.Title className={styles.title}>{title}</Base.Title>
              <Base.Description className={styles.description} render={<div />}>
                {description}
              </Base.Description>
              {typedConfirmation === undefined ? null : (
                <Field
                  label={
                    <>
                      Type <code>{typedConfirmation}</code> to confirm
                    </>
                  }
                >
                  <Input value={typed} onValueChange={setTyped} mono />
                </Field>
              )}
              <div className={own.buttons}>
                <Base.Close render={<Button>Cancel</Button>} />
                <Button type="submit" className={own.confirm} busy={busy} disabled={!ready}>
                  {confirmLabel}
                </Button>
              </div>
            </form>
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  )
}
