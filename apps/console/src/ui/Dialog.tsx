import { Dialog as Base } from '@base-ui/react/dialog'
import { useRef, type FormEvent, type ReactElement, type ReactNode } from 'react'
import { cx } from '../lib/cx.ts'
import { IconButton } from './IconButton.tsx'
import { CloseIcon } from './icons.tsx'
import styles from './Dialog.module.css'

export interface DialogProps {
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
  readonly title: ReactNode
  readonly description?: ReactNode
  readonly size?: 'small' | 'medium' | 'large'
  /** Buttons at the bottom right, the primary one last. */
  readonly footer?: ReactNode
  /** Makes the body a form; the footer's submit button sends it. */
  readonly onSubmit?: () => void
  /** The control that opens it, when it lives beside the dialog. */
  readonly trigger?: ReactElement<Record<string, unknown>>
  readonly children?: ReactNode
}

/** What one types into. A switch is none: whoever pages on with Space would turn it over. */
const FIELDS = 'input:not([type=hidden], [type=checkbox], [type=radio]), textarea, [role=combobox]'

const isUnderFinger = (): boolean => matchMedia('(pointer: coarse)').matches

/** A task that wants an answer before the page goes on. Focus is kept inside and given back. */
export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  size = 'medium',
  footer,
  onSubmit,
  trigger,
  children,
}: DialogProps) {
  const popup = useRef<HTMLDivElement>(null)
  const bodyBox = useRef<HTMLDivElement>(null)
  const body = (
    <>
      <div ref={bodyBox} className={styles.body}>
        {children}
      </div>
      {footer === undefined ? null : <div className={styles.footer}>{footer}</div>}
    </>
  )
  return (
    <Base.Root open={open} onOpenChange={(next) => onOpenChange(next)}>
      {trigger === undefined ? null : <Base.Trigger render={trigger} />}
      <Base.Portal>
        <Base.Backdrop className={styles.backdrop} />
        <Base.Viewport className={styles.viewport}>
          <Base.Popup
            ref={popup}
            // The first field, not the close button; without fields the dialog itself, which is then read out. Under a
            // finger too: in a field the keyboard of the phone would come up, over half of what there is to read.
            initialFocus={() =>
              (isUnderFinger() ? null : bodyBox.current?.querySelector<HTMLElement>(FIELDS)) ?? popup.current
            }
            className={cx(styles.popup, styles[size])}
          >
            <header className={styles.header}>
              <div>
                <Base.Title className={styles.title}>{title}</Base.Title>
                {description === undefined ? null : (
                  <Base.Description className={styles.description}>{description}</Base.Description>
                )}
              </div>
              <Base.Close render={<IconButton icon={CloseIcon} label="Close" />} />
            </header>
            {onSubmit === undefined ? (
              body
            ) : (
              <form
                noValidate
                className={styles.form}
                onSubmit={(event: FormEvent) => {
                  event.preventDefault()
                  // A dialog can lie inside another form of the React tree.
                  event.stopPropagation()
                  onSubmit()
                }}
              >
                {body}
              </form>
            )}
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  )
}
