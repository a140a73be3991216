// What the job store knows of the jobs of a photo, asked for while it is looked at.

export function createHistory(root, photo, labelOf) {
  const list = root.querySelector('ol');
  let shown = '';

  async function show() {
    try {
      const response = await fetch(`api/photos/${photo.id}/jobs`);
      if (response.ok) {
        list.replaceChildren(...(await response.json()).map((job) => entry(job, labelOf)));
      }
    } catch {
      // What is shown stays; the page says that the connection is lost.
    }
  }

  root.addEventListener('toggle', () => root.open && show());

  /** Asks again when a job went from one state to another. */
  function showJobs(jobs) {
    const states = [...jobs.values()].map((job) => `${job.id} ${job.state} ${job.attempt}`).join();
    if (states !== shown && root.open) {
      show();
    }
    shown = states;
  }

  return { showJobs };
}

function entry(job, labelOf) {
  const item = document.createElement('li');
  item.title = `Job ${job.id}`;
  const head = document.createElement('p');
  head.append(element('b', labelOf(job.type)), element('span', job.state));
  const steps = document.createElement('ul');
  steps.append(step(job.createdAt, 'enqueued'));
  for (const failure of job.failures) {
    steps.append(step(failure.at, `attempt ${failure.attempt} failed: ${failure.message} (${failure.code})`));
  }
  // The store keeps the latest start; of the others it has what became of them.
  if (job.state === 'active' || job.state === 'completed') {
    steps.append(step(job.startedAt, `attempt ${job.attempt} started`));
  }
  if (job.completedAt) {
    steps.append(step(job.completedAt, job.state));
  }
  item.append(head, steps);
  return item;
}

function step(iso, text) {
  const item = document.createElement('li');
  item.append(element('time', clock(iso)), element('span', text));
  return item;
}

function element(tag, text) {
  const created = document.createElement(tag);
  created.textContent = text;
  return created;
}

function clock(iso) {
  return new Date(iso).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', second: '2-digit', hour12: false });
}
