// Sends files, two at a time, and says which of them were refused and why.

import { notice } from './notices.js';

const AT_A_TIME = 2;

/**
 * @param {Array<function(): Promise<File>>} files
 * @param {function(number, number)} onProgress told how many of how many are sent
 */
export async function upload(files, onProgress = () => {}) {
  const waiting = [...files];
  let sent = 0;
  onProgress(sent, files.length);
  const sender = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      await send(next);
      onProgress(++sent, files.length);
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, sender));
}

async function send(getFile) {
  let name = 'The file';
  try {
    const file = await getFile();
    name = file.name;
    const form = new FormData();
    form.append('file', file);
    const response = await fetch('api/photos', { method: 'POST', body: form });
    if (!response.ok) {
      notice(await problem(response, `${name} was refused.`));
    }
  } catch (error) {
    notice(`${name} could not be sent: ${error.message}.`);
  }
}

/** What the server says, or what is assumed if something in between answered. */
export async function problem(response, otherwise) {
  try {
    return (await response.json()).detail ?? otherwise;
  } catch {
    return `${otherwise} (${response.status} ${response.statusText})`;
  }
}

/** One of the pictures that come with the sample, through the same door as any other. */
export function shipped(name) {
  return async () => {
    const response = await fetch(`photos/${name}`);
    if (!response.ok) {
      throw new Error(`${response.status} ${response.statusText}`);
    }
    return new File([await response.blob()], name, { type: 'image/jpeg' });
  };
}
