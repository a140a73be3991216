/**
 * What happens to jobs, told to whoever listens (OJS Events).
 */
@NullMarked
package io.ojs.event;

import org.jspecify.annotations.NullMarked;
