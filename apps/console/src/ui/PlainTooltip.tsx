import { cloneElement, Fragment } from 'react'
import type { TooltipProps } from './Tooltip.tsx'

/** In place of `Tooltip` where each kilobyte counts: the browser's own hint. */
export const Tooltip = ({ children, content, kbd }: TooltipProps) =>
  typeof content === 'string'
    ? cloneElement(children, { title: kbd === undefined ? content : `${content} (${kbd})` })
    : children

export const TooltipProvider = Fragment
