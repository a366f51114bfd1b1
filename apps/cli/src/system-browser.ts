import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

const NAMES = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
  'chrome.exe',
  'msedge.exe',
]
/** Where those stand that no path leads to. */
const ON_MAC = ['Google Chrome', 'Chromium', 'Microsoft Edge'].map((name) =>
  join('/Applications', `${name}.app`, 'Contents', 'MacOS', name),
)
const ON_WINDOWS = [
  ['Google', 'Chrome', 'Application', 'chrome.exe'],
  ['Microsoft', 'Edge', 'Application', 'msedge.exe'],
]

const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** The program of a browser that this machine has, of those that tests of replays run in; null when there is none. */
export const findSystemBrowser = (environment: NodeJS.ProcessEnv): string | null => {
  const folders = (environment['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '')
  const programs = [environment['ProgramFiles'], environment['ProgramFiles(x86)']].flatMap((folder) => folder ?? [])
  const places = [
    ...NAMES.flatMap((name) => folders.map((folder) => join(folder, name))),
    ...ON_MAC,
    ...programs.flatMap((folder) => ON_WINDOWS.map((path) => join(folder, ...path))),
  ]
  return places.find(isProgram) ?? null
}
