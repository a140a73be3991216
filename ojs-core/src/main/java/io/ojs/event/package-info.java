/**
 * State transitions of jobs and their events, for listeners and the event feed (OJS
 * Events).
 */
@NullMarked
package io.ojs.event;

import org.jspecify.annotations.NullMarked;
