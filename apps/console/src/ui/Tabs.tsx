import { useLayoutEffect, useRef, useState, type RefObject } from 'react'
import { formatCount } from '../lib/format.ts'
import { fittingTabs } from './fitting-tabs.ts'
import { IconButton } from './IconButton.tsx'
import { MoreIcon } from './icons.tsx'
import { Menu, MenuItem } from './Menu.tsx'
import { PlainTabs, type TabsProps } from './PlainTabs.tsx'
import styles from './Tabs.module.css'

/** Views of one thing, one at a time, underlined in the accent; the panel follows. Those without room stand in a menu. */
export function Tabs<Value extends string>(props: TabsProps<Value>) {
  const { onValueChange, tabs, value } = props
  const row = useRef<HTMLDivElement>(null)
  const places = useFitting(
    row,
    tabs.map((tab) => `${tab.value} ${tab.count ?? ''}`).join('\n'),
    tabs.findIndex((tab) => tab.value === value),
  )
  if (places === null) return <PlainTabs {...props} ref={row} />
  return (
    <PlainTabs
      {...props}
      ref={row}
      tabs={tabs.filter((_, index) => places.includes(index))}
      rest={
        <span className={styles.more}>
          <Menu align="end" trigger={<IconButton icon={MoreIcon} label="More tabs" />}>
            {tabs.map((tab, index) =>
              places.includes(index) ? null : (
                <MenuItem key={tab.value} onSelect={() => onValueChange(tab.value)}>
                  {tab.label}
                  {tab.count === undefined ? null : <span className={styles.count}> {formatCount(tab.count)}</span>}
                </MenuItem>
              ),
            )}
          </Menu>
        </span>
      }
    />
  )
}

/**
 * Which tabs have room in a row, by their places; null for all. All are drawn once to be measured, before anybody sees them.
 *
 * @param drawn what the tabs say, by which they are measured anew
 */
function useFitting(row: RefObject<HTMLElement | null>, drawn: string, active: number): readonly number[] | null {
  const [measured, setMeasured] = useState<{ readonly drawn: string; readonly widths: readonly number[] } | null>(null)
  const [room, setRoom] = useState(Infinity)
  const widths = measured?.drawn === drawn ? measured.widths : null
  const isNew = widths === null
  useLayoutEffect(() => {
    const element = row.current
    if (element === null) return undefined
    // It calls back once at the beginning, too, before anything is painted.
    const observer = new ResizeObserver(() => {
      const tabs = [...element.querySelectorAll<HTMLElement>('[role=tab]')]
      if (isNew) setMeasured({ drawn, widths: tabs.map((tab) => tab.offsetWidth) })
      setRoom(roomIn(element))
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [row, drawn, isNew])
  return widths === null ? null : fittingTabs(widths, room, active)
}

function roomIn(element: HTMLElement): number {
  const { paddingLeft, paddingRight } = getComputedStyle(element)
  return element.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight)
}
