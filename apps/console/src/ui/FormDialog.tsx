import type { ReactNode } from 'react'
import type { Form } from '../lib/use-form.ts'
import { Button } from './Button.tsx'
import { Dialog, type DialogProps } from './Dialog.tsx'
import { FieldStack } from './Field.tsx'
import { Notice } from './Notice.tsx'

/** A form in a dialog: its fields, a button that sends it, and the sentence when sending failed. */
export function FormDialog<Values extends object>({
  form,
  title,
  description,
  size = 'small',
  submitLabel,
  onClose,
  children,
}: Pick<DialogProps, 'description' | 'size'> & {
  readonly form: Form<Values>
  readonly title: string
  /** The verb: "Create key". */
  readonly submitLabel: string
  readonly onClose: () => void
  /** A `Field` each. */
  readonly children: ReactNode
}) {
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
      size={size}
      title={title}
      description={description}
      onSubmit={form.onSubmit}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={form.busy}>
            {submitLabel}
          </Button>
        </>
      }
    >
      <FieldStack>
        {children}
        {form.failure === undefined ? null : <Notice tone="error">{form.failure}</Notice>}
      </FieldStack>
    </Dialog>
  )
}
