import { Tooltip as Base } from '@base-ui/react/tooltip'
import type { ReactElement, ReactNode } from 'react'
import { Kbd } from './Kbd.tsx'
import styles from './Tooltip.module.css'

export interface TooltipProps {
  readonly content: ReactNode
  readonly kbd?: string | undefined
  readonly side?: 'top' | 'right' | 'bottom' | 'left'
  /** One element that takes a ref and DOM props. */
  readonly children: ReactElement<Record<string, unknown>>
}

/** A short hint for one control, on hover and on keyboard focus. Never the only place of a fact. */
export function Tooltip({ content, kbd, side = 'top', children }: TooltipProps) {
  return (
    <Base.Root>
      <Base.Trigger render={children} />
      <Base.Portal>
        <Base.Positioner side={side} sideOffset={6} collisionPadding={8} className={styles.positioner}>
          <Base.Popup className={styles.popup}>
            {content}
            {kbd === undefined ? null : <Kbd keys={kbd} />}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

/** Lets neighbouring tooltips open without a delay. Once, around the application. */
export function TooltipProvider({ children }: { readonly children: ReactNode }) {
  return <Base.Provider delay={450}>{children}</Base.Provider>
}
