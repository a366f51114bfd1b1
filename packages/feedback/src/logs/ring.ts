/** One line, in the shape of a breadcrumb. */
export interface Line {
  /** Seconds since 1970. */
  readonly timestamp: number
  readonly type?: 'http'
  readonly category: 'console' | 'fetch' | 'xhr'
  readonly level?: 'debug' | 'info' | 'log' | 'warning' | 'error'
  readonly message?: string
  readonly data?: Readonly<Record<string, string | number>>
}

/** What is kept, whatever the page says: so long, so many, so many characters in all. */
export const LOG_MS = 60_000
export const LOG_LINES = 100
export const LOG_CHARS = 32_768
export const LINE_CHARS = 1000

const sizeOf = ({ message = '', data }: Line): number => message.length + String(data?.['url'] ?? '').length

export const createRing = () => {
  const lines: Line[] = []
  let chars = 0
  /** From the oldest on. */
  const bound = (now: number): void => {
    for (let [oldest] = lines; oldest !== undefined; [oldest] = lines) {
      const isOver = lines.length > LOG_LINES || chars > LOG_CHARS
      if (!isOver && now - oldest.timestamp * 1000 <= LOG_MS) return
      lines.shift()
      chars -= sizeOf(oldest)
    }
  }
  return {
    add: (line: Line): void => {
      lines.push(line)
      chars += sizeOf(line)
      bound(Date.now())
    },
    read: (): readonly Line[] => {
      bound(Date.now())
      return [...lines]
    },
    clear: (): void => {
      lines.length = 0
      chars = 0
    },
  }
}
