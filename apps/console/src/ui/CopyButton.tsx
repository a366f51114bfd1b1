import { useEffect, useState } from 'react'
import { Button, type ButtonProps } from './Button.tsx'
import { IconButton } from './IconButton.tsx'
import { CheckIcon, CopyIcon } from './icons.tsx'
import { toast } from './toast.ts'

const SHOWN_FOR_MS = 1500

export interface CopyButtonProps {
  readonly text: string
  /** What is copied: "DSN". Read out and shown as "Copy DSN". */
  readonly label: string
  /** With a visible text instead of the icon alone. */
  readonly withText?: boolean
  readonly size?: 'normal' | 'small'
  readonly variant?: ButtonProps['variant']
}

/** Copies a text and says so by turning into a tick. */
export function CopyButton({ text, label, withText = false, size = 'small', variant = 'secondary' }: CopyButtonProps) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return undefined
    const timer = setTimeout(() => setCopied(false), SHOWN_FOR_MS)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = (): void => {
    // Without a secure context (plain http on a LAN) the clipboard API is missing.
    const done =
      navigator.clipboard === undefined
        ? Promise.reject(new Error('no clipboard'))
        : navigator.clipboard.writeText(text)
    void done.then(
      () => setCopied(true),
      () => toast({ title: 'The browser did not allow copying.', description: 'Select the text and copy it by hand.' }),
    )
  }
  const icon = copied ? CheckIcon : CopyIcon
  return withText ? (
    <Button icon={icon} size={size} variant={variant} onClick={copy} aria-live="polite">
      {copied ? 'Copied' : `Copy ${label}`}
    </Button>
  ) : (
    <IconButton icon={icon} size={size} label={copied ? 'Copied' : `Copy ${label}`} onClick={copy} />
  )
}
