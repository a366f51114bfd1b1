import { createLink } from '@tanstack/react-router'
import type { AnchorHTMLAttributes, Ref } from 'react'
import { cx } from '../lib/cx.ts'
import styles from './Link.module.css'

interface TextLinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  readonly ref?: Ref<HTMLAnchorElement>
  /** `text`: underlined in running text · `quiet`: underlined on hover · `plain`: no dress at all (rows, cards). */
  readonly look?: 'text' | 'quiet' | 'plain'
}

function TextLink({ look = 'text', className, children, ...rest }: TextLinkProps) {
  return (
    <a {...rest} className={cx(look !== 'plain' && styles[look], className)}>
      {children}
    </a>
  )
}

/** A link within the console, typed by the router: `<Link to="…" params={…} preload="viewport">`. */
export const Link = /* @__PURE__ */ createLink(TextLink)

/** Whether an address from outside may be linked: http, https and mailto only, never `javascript:` or `data:`. */
function isSafeHref(href: string): boolean {
  try {
    return ['http:', 'https:', 'mailto:'].includes(new URL(href).protocol)
  } catch {
    // What is no address is not linked.
    return false
  }
}

/** A link out of the console. An unsafe address (from an event, say) is shown as text. */
export function ExternalLink({ href, children, ...rest }: TextLinkProps & { readonly href: string }) {
  if (!isSafeHref(href)) return <span>{children}</span>
  return (
    <TextLink {...rest} href={href} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </TextLink>
  )
}
