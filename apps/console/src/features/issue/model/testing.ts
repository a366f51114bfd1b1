import type { BreadcrumbView, EventView, ExceptionView, FrameView, MechanismView } from './event-view.ts'

/** Views with only what a test is about; everything else is empty. */

export function frame(fields: Partial<FrameView> & { index: number }): FrameView {
  return {
    functionName: 'run',
    filename: '',
    path: '',
    module: '',
    className: '',
    packageName: '',
    platform: 'javascript',
    line: 1,
    column: null,
    inApp: true,
    source: [],
    variables: [],
    address: '',
    place: '',
    sourceLink: '',
    ...fields,
  }
}

export function mechanism(fields: Partial<MechanismView>): MechanismView {
  return {
    type: 'generic',
    handled: null,
    description: '',
    helpLink: '',
    source: '',
    id: null,
    parentId: null,
    isGroup: false,
    synthetic: false,
    data: [],
    ...fields,
  }
}

export function exception(fields: Partial<ExceptionView>): ExceptionView {
  return { type: 'Error', value: '', module: '', threadId: '', mechanism: null, stack: null, rawStack: null, ...fields }
}

export function crumb(fields: Partial<BreadcrumbView>): BreadcrumbView {
  return { timestamp: null, type: 'default', category: '', message: '', level: 'info', data: [], ...fields }
}

export function event(fields: Partial<EventView>): EventView {
  return {
    id: '9f1c2e4400000000000000000000000a',
    projectSlug: 'shop-web',
    type: 'error',
    level: 'error',
    title: '',
    culprit: '',
    platform: 'javascript',
    timestamp: Date.UTC(2026, 10, 20, 22),
    received: null,
    release: '',
    environment: '',
    exceptions: [],
    threads: [],
    stack: null,
    message: '',
    messageTemplate: '',
    messageParameters: undefined,
    breadcrumbs: [],
    request: null,
    report: null,
    finding: null,
    slowdown: null,
    user: null,
    tags: [],
    contexts: [],
    extra: [],
    modules: [],
    images: [],
    builtFiles: [],
    mappings: [],
    flags: [],
    sdk: null,
    notes: [],
    ...fields,
  }
}
