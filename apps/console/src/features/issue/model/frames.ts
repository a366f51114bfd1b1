import type { FrameView } from './event-view.ts'

/** Which frames of a stack are shown, and under which words the others are folded away. */

export type StackMode = 'app' | 'all' | 'raw'

export type FrameRow =
  | { readonly kind: 'frame'; readonly key: string; readonly frame: FrameView }
  | {
      readonly kind: 'fold'
      readonly key: string
      readonly label: string
      readonly frames: readonly FrameView[]
      readonly open: boolean
    }

/**
 * `app` shows the frames of one's own code, and the one that threw even when it is not, because it says what failed;
 * runs of other frames fold; a single one stays, and is drawn paler. A stack without a frame of one's own is shown whole: folding would leave nothing.
 */
export function foldFrames(
  frames: readonly FrameView[],
  mode: Exclude<StackMode, 'raw'>,
  opened: ReadonlySet<string>,
): readonly FrameRow[] {
  const showsAll = mode === 'all' || !frames.some((frame) => frame.inApp)
  const rows: FrameRow[] = []
  let run: FrameView[] = []
  const closeRun = () => {
    const first = run[0]
    if (first === undefined) return
    // A line that stands for one frame says less than the frame.
    if (run.length === 1) {
      rows.push(frameRow(first))
      run = []
      return
    }
    const key = `fold-${first.index}`
    const open = opened.has(key)
    rows.push({ kind: 'fold', key, label: foldLabel(run), frames: run, open })
    if (open) rows.push(...run.map(frameRow))
    run = []
  }
  for (const frame of frames) {
    if (showsAll || frame.inApp || frame.index === 0) {
      closeRun()
      rows.push(frameRow(frame))
    } else {
      run.push(frame)
    }
  }
  closeRun()
  return rows
}

function frameRow(frame: FrameView): FrameRow {
  return { kind: 'frame', key: `frame-${frame.index}`, frame }
}

/** The frame that opens by itself: the newest of one's own that has source, else the newest that has any. */
export function firstFrameToOpen(frames: readonly FrameView[]): FrameView | null {
  const worth = (frame: FrameView) => frame.source.length > 0 || frame.variables.length > 0
  return (
    frames.find((frame) => frame.inApp && worth(frame)) ??
    frames.find(worth) ??
    frames.find((frame) => frame.inApp) ??
    null
  )
}

/** `6 frames of react-dom`, `3 frames of express and node`, `9 frames of a, b and 2 more`. */
export function foldLabel(frames: readonly FrameView[]): string {
  const count = `${frames.length} ${frames.length === 1 ? 'frame' : 'frames'}`
  const names = [...new Set(frames.map(origin).filter((name) => name !== ''))]
  const [first, second] = names
  if (first === undefined) return `${count} outside your code`
  if (second === undefined) return `${count} of ${first}`
  if (names.length === 2) return `${count} of ${first} and ${second}`
  return `${count} of ${first}, ${second} and ${names.length - 2} more`
}

const INSTALLED =
  /(?:node_modules|site-packages|dist-packages|vendor\/bundle|gems|pkg\/mod|deps)\/((?:\.pnpm\/[^/]+\/node_modules\/)?)((?:@[^/]+\/)?[^/]+)/g

/** The library a frame comes from, as its users call it; empty when nothing tells. */
export function origin(frame: FrameView): string {
  const path = (frame.path || frame.filename).replaceAll('\\', '/')
  if (/^(node:|internal\/)/.test(path)) return 'node'
  const installed = [...path.matchAll(INSTALLED)].at(-1)?.[2]
  if (installed !== undefined) return installed.replace(/@v?\d.*$/, '').replace(/\.py$/, '') || installed
  if (/\/lib\/python\d/.test(path)) return 'python'
  if (/^(java|javax|jdk|sun)\./.test(frame.module)) return 'java'
  if (frame.packageName !== '') return frame.packageName.split(/[/\\]/).at(-1) ?? frame.packageName
  const module = /^(@?[\w-]+)[./:]/.exec(frame.module)?.[1]
  if (module !== undefined && frame.platform !== 'javascript' && frame.platform !== 'node') {
    return frame.module.split('.').slice(0, 2).join('.')
  }
  const host = /^[a-z-]+:\/\/([^/]+)/.exec(path)?.[1]
  return host === undefined || path.startsWith('file:') ? '' : host
}

/** `src/cart/summary.tsx:42:28`: without the origin of a page's own script, which says nothing beside the function. */
export function frameLocation(frame: FrameView): string {
  const file = shortPath(frame.filename || frame.path || frame.module || frame.packageName)
  if (file === '') return frame.address
  if (frame.line === null) return file
  return frame.column === null ? `${file}:${frame.line}` : `${file}:${frame.line}:${frame.column}`
}

export function shortPath(path: string): string {
  const withoutScheme = path
    .replace(/^(?:https?|app|capacitor|file):\/\/[^/]*\//, '/')
    .replace(/^webpack(?:-internal)?:\/\/\/?[^/]*\//, '')
    .replace(/[?#].*$/, '')
  return withoutScheme.replace(/^\.\//, '') || path
}

/** Of the JVM with its class, as Java prints it: `com.acme.shop.Till.close`. */
export function functionLabel(frame: FrameView): string {
  const name = frame.functionName
  if (name === '' || name === '?') return frame.place || '<anonymous>'
  return qualifierOf(frame) + name
}

/** The beginning of a label that says where the class is, not which one: `com.acme.shop.`. */
export const packageOf = (frame: FrameView): string =>
  frame.className === '' ? '' : frame.className.slice(0, frame.className.lastIndexOf('.') + 1)

/** What stands before the name of a method: `com.acme.shop.Till.`; empty where it is not of the JVM, or says it itself. */
export const qualifierOf = ({ className, functionName }: FrameView): string =>
  className === '' || functionName.startsWith(`${className}.`) ? '' : `${className}.`

/** A stack as a terminal prints it, for copying: Python oldest first, everything else newest first. */
export function rawStack(type: string, value: string, frames: readonly FrameView[], platform: string): string {
  const head = [type, value].filter((part) => part !== '').join(': ')
  if (platform === 'python') {
    const lines = frames.toReversed().flatMap((frame) => {
      const at = `  File "${frame.path || frame.filename}", line ${frame.line ?? '?'}, in ${functionLabel(frame)}`
      const hit = frame.source.find((line) => line.line === frame.line)?.text.trim()
      return hit === undefined || hit === '' ? [at] : [at, `    ${hit}`]
    })
    return ['Traceback (most recent call last):', ...lines, head].join('\n')
  }
  const lines = frames.map((frame) => {
    const place = frame.path || frame.filename || frame.module || frame.place || frame.address
    const position = [place, frame.line, frame.column].filter((part) => part !== null && part !== '').join(':')
    const name = frame.functionName === '' || frame.functionName === '?' ? '' : functionLabel(frame)
    if (name === '') return `    at ${position}`
    return frame.className === '' ? `    at ${name} (${position})` : `    at ${name}(${position})`
  })
  return [head, ...lines].join('\n')
}
