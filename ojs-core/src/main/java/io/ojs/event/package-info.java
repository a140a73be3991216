/**
 * Events of jobs, for listeners and for readers of the event feed (OJS Events).
 */
@NullMarked
package io.ojs.event;

import org.jspecify.annotations.NullMarked;
