/**
 * The job: its envelope, its states, and how one is requested (OJS Core §5, §6).
 */
@NullMarked
package io.ojs.job;

import org.jspecify.annotations.NullMarked;
