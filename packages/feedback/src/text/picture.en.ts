/** Texts of the picture control and its editor. `{…}` are filled in by the control. The first four bear the names of `feedbackIntegration`. */
export interface PictureTexts {
  readonly addScreenshotButtonLabel: string
  readonly removeScreenshotButtonLabel: string
  readonly highlightToolText: string
  readonly hideToolText: string
  readonly captureScreen: string
  readonly uploadImage: string
  readonly addAnother: string
  readonly more: string
  readonly dropHint: string
  readonly pictures: string
  readonly picture: string
  readonly editor: string
  readonly tools: string
  readonly crop: string
  readonly draw: string
  readonly arrow: string
  readonly undo: string
  readonly redo: string
  readonly enlarge: string
  readonly shrink: string
  readonly apply: string
  readonly cancel: string
  readonly cropFrame: string
  readonly cropHelp: string
  readonly topLeft: string
  readonly topRight: string
  readonly bottomLeft: string
  readonly bottomRight: string
  readonly mark: string
  readonly markHelp: string
  readonly deleteMark: string
  readonly size: string
  readonly working: string
  readonly pictureAdded: string
  readonly pictureRemoved: string
  readonly markDeleted: string
  readonly undone: string
  readonly redone: string
  readonly cropApplied: string
  readonly cropCancelled: string
  readonly pageNotAllowed: string
  readonly captureRefused: string
  readonly captureEnded: string
  readonly notAnImage: string
  readonly tooManyBytes: string
  readonly tooManyPixels: string
  readonly broken: string
  readonly tooManyPictures: string
  readonly toolsNotLoaded: string
}

export const pictureTexts: PictureTexts = {
  addScreenshotButtonLabel: 'Add a screenshot',
  removeScreenshotButtonLabel: 'Remove screenshot',
  highlightToolText: 'Highlight',
  hideToolText: 'Hide',
  captureScreen: 'Share the screen',
  uploadImage: 'Upload image',
  addAnother: 'Add another',
  more: 'More',
  dropHint: 'You can also paste or drop an image.',
  pictures: 'Pictures',
  picture: 'Picture {number}, {width} × {height} pixels',
  editor: 'Edit picture {number}',
  tools: 'Picture tools',
  crop: 'Crop',
  draw: 'Draw',
  arrow: 'Arrow',
  undo: 'Undo',
  redo: 'Redo',
  enlarge: 'Enlarge',
  shrink: 'Back to the form',
  apply: 'Apply',
  cancel: 'Cancel',
  cropFrame: 'Crop frame',
  cropHelp: 'Arrow keys move, with Shift in larger steps. Enter applies, Escape cancels.',
  topLeft: 'Top left corner',
  topRight: 'Top right corner',
  bottomLeft: 'Bottom left corner',
  bottomRight: 'Bottom right corner',
  mark: '{tool} {number}, {width} × {height} pixels',
  markHelp: 'Arrow keys move, with Shift they resize, Delete removes.',
  deleteMark: 'Delete {tool} {number}',
  size: '{width} × {height} pixels',
  working: 'Preparing the picture…',
  pictureAdded: 'Picture added, {width} × {height} pixels.',
  pictureRemoved: 'Picture removed.',
  markDeleted: '{tool} deleted.',
  undone: 'Undone.',
  redone: 'Done again.',
  cropApplied: 'Cropped to {width} × {height} pixels.',
  cropCancelled: 'Crop cancelled.',
  pageNotAllowed: 'This page does not allow a picture of itself. You can upload an image instead.',
  captureRefused: 'The screen was not captured. You can add a screenshot or upload an image instead.',
  captureEnded: 'The screen capture ended too early. You can add a screenshot or upload an image instead.',
  notAnImage: 'This file is not an image that can be used. PNG, JPEG, WebP, GIF, AVIF and BMP work.',
  tooManyBytes: 'This image is larger than 10 MB. Please choose a smaller one.',
  tooManyPixels: 'This image has too many pixels. Please choose a smaller one.',
  broken: 'This image is damaged and cannot be read.',
  tooManyPictures: 'No more than {count} pictures can be sent.',
  toolsNotLoaded: 'The picture tools could not be loaded. Please try again, or send the report without a picture.',
}
